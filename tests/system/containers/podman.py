"""Podman in namespaces of its own, so that nothing of it stays or gets in the way on the machine.

Its processes, mounts, networks and firewall rules live in namespaces whose first process waits for
the end of its input. They all end with it, also if the test run is killed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.debian import INSTALL_SECONDS, install, one_at_a_time
from tests.system.containers.engine import ROOT, Engine, finish

BASE = "localhost/python-base"
BASE_PACKAGES = ("python3", "python3-venv", "ca-certificates")
SUITE = "trixie"
"""The release of Debian that has the Python of our images' usual base."""
COMPOSE = "podman-compose==1.6.0"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
"""The machine's, lent to the build: its network may have some of its own."""
# What is looked for, and the Debian package that has it.
PARTS = {
    CERTIFICATES: "ca-certificates",
    "podman": "podman",
    "conmon": "conmon",
    "runc": "runc",
    "/usr/lib/podman/netavark": "netavark",
    "/usr/lib/podman/aardvark-dns": "aardvark-dns",
    "iptables": "iptables",
    "ip": "iproute2",
    "nsenter": "util-linux",
    "debootstrap": "debootstrap",
}
FIRST_PROCESS = """
for place in /run/containers /run/libpod /run/netns /dev/shm; do
    mkdir -p $place && mount -t tmpfs tmpfs $place
done
ip link set lo up
echo ready
cat  # until the input ends; not by exec, since the first process has to bury orphans
"""
# runc and cgroupfs, since there may be no systemd, and crun wants the newer kind of cgroups.
CONTAINERS_CONF = """
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
network_config_dir = "{folder}/networks"
"""
STORAGE_CONF = """
[storage]
driver = "overlay"
graphroot = "{folder}/storage"
runroot = "{folder}/run"
"""


@contextmanager
def podman(folder: Path, project: str) -> Iterator[Engine]:
    """An engine that keeps everything in `folder` and is gone at the end."""
    with one_at_a_time():
        install_parts()
        cache = cache_folder()
        base, compose = small_debian(cache, SUITE, BASE_PACKAGES), install_compose(cache)
    for name, text in (("containers.conf", CONTAINERS_CONF), ("storage.conf", STORAGE_CONF)):
        (folder / name).write_text(text.format(folder=folder), encoding="utf-8")
    lent = f"--network host --secret id=certificates,src={CERTIFICATES}"
    programs = f"""
docker() {{
    command=$1
    shift
    case $command in
        build) podman build --network host --build-arg BASE=$BASE "$@" ;;
        compose) {compose} --project-name $PROJECT --podman-build-args="{lent}" "$@" ;;
        *) podman $command "$@" ;;
    esac
}}
"""
    environment = {
        "CONTAINERS_CONF": str(folder / "containers.conf"),
        "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        "BUILDAH_FORMAT": "docker",
        "BASE": BASE,
    }
    try:
        with namespaces() as (enter, enter_to_build):
            engine = Engine(enter, enter_to_build, programs, environment, project)
            engine.run(f"podman import {shlex.quote(str(base))} {BASE}")
            try:
                yield engine
            finally:
                # They end in any case, but would leave their groups in the kernel's tree of them.
                engine.run("podman pod rm --all --force --time 0")
    finally:
        # Nothing of it is mounted any more; and it is large.
        shutil.rmtree(folder)


def install_parts() -> None:
    """Fails if one is missing and cannot be installed."""
    missing = [
        package
        for part, package in PARTS.items()
        if not (Path(part).exists() if part.startswith("/") else shutil.which(part))
    ]
    if not missing and os.geteuid() == 0:
        return
    wanted = f"a running Docker, or as root: apt-get install {' '.join(PARTS.values())}"
    install(missing, f"the containers' tests need {wanted}")


def cache_folder() -> Path:
    """Of what is made once, and outlives the tests."""
    cache = Path(sys.prefix) / "containers"
    cache.mkdir(exist_ok=True)
    return cache


def small_debian(cache: Path, name: str, packages: Sequence[str]) -> Path:
    """An archive of a small Debian with these packages, in place of images that cannot be
    pulled."""
    base = cache / f"{name}.tar"
    if not base.exists():
        work = Path(tempfile.mkdtemp(dir=cache))
        tree, archive = work / "tree", work / "unfinished.tar"
        what = ["--variant=minbase", f"--include={','.join(packages)}"]
        finish(["debootstrap", *what, SUITE, str(tree)], os.environ, INSTALL_SECONDS)
        spare = [
            f"--exclude=./{path}"
            for path in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc")
        ]
        finish(
            ["tar", "-C", str(tree), *spare, "-cf", str(archive), "."], os.environ, INSTALL_SECONDS
        )
        archive.rename(base)
        shutil.rmtree(work)
    return base


def install_compose(cache: Path) -> Path:
    """podman-compose, in an environment that is not ours: it is under the GPL, and only run."""
    program = cache / COMPOSE / "bin" / "podman-compose"
    if not program.exists():
        finish([sys.executable, "-m", "venv", str(cache / COMPOSE)], os.environ, INSTALL_SECONDS)
        pip = [str(program.with_name("python")), "-m", "pip", "install", "--quiet", COMPOSE]
        finish(pip, os.environ, INSTALL_SECONDS)
    return program


@contextmanager
def namespaces() -> Iterator[tuple[list[str], list[str]]]:
    """How to start a program in namespaces of our own; and in all but the network's."""
    unshare = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    first = subprocess.Popen(
        [*unshare, "sh", "-e", "-c", FIRST_PROCESS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert first.stdin is not None
    assert first.stdout is not None
    with first:
        assert first.stdout.readline() == b"ready\n", "no namespaces of our own"
        own = f"/proc/{first.pid}/ns"
        enter = ["nsenter", f"--mount={own}/mnt", f"--pid={own}/pid_for_children"]
        try:
            yield [*enter, f"--net={own}/net", "--"], [*enter, "--"]
        finally:
            first.stdin.close()
