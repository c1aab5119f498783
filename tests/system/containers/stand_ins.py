"""PostgreSQL, Redis and HAProxy from Debian's packages, in place of images that cannot be pulled.

They take what compose.cluster.yaml tells the usual images, and nothing else.
"""

from __future__ import annotations

import shlex

from tests.system.containers.engine import Engine
from tests.system.containers.podman import cache_folder, small_debian

SERVICES = "localhost/services"
PACKAGES = ("ca-certificates", "haproxy", "postgresql", "redis-server")
DOCKERFILES = {
    "postgres": r"""
RUN install --directory --owner postgres --mode 1777 /var/lib/postgresql
ENV PGDATA=/var/lib/postgresql/data PGHOST=/tmp
VOLUME /var/lib/postgresql
CMD set -e; PATH=$(echo /usr/lib/postgresql/*/bin):$PATH; if [ ! -e $PGDATA/PG_VERSION ]; then \
    echo $POSTGRES_PASSWORD > /tmp/password; \
    initdb -E UTF8 -U $POSTGRES_USER --pwfile=/tmp/password --auth-host=scram-sha-256; \
    echo "host all all all scram-sha-256" >> $PGDATA/pg_hba.conf; \
    echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D $PGDATA postgres; \
    fi; exec postgres -h '*' -k /tmp
STOPSIGNAL SIGINT
""",
    "redis": """
RUN install --directory --owner redis --group redis /data
WORKDIR /data
VOLUME /data
CMD redis-server
""",
    "haproxy": """
CMD exec haproxy -W -db -f /usr/local/etc/haproxy/haproxy.cfg
STOPSIGNAL SIGUSR1
""",
}


def make_stand_ins(engine: Engine) -> dict[str, str]:
    """The images, by the variables of compose.cluster.yaml that name them."""
    archive = small_debian(cache_folder(), "services", PACKAGES)
    engine.run(f"podman import {shlex.quote(str(archive))} {SERVICES}")
    for name, dockerfile in DOCKERFILES.items():
        lines = f"FROM {SERVICES}{dockerfile}"
        engine.run(f"podman build --tag localhost/{name} - <<'END'\n{lines}END")
    return {
        "POSTGRES_IMAGE": "localhost/postgres",
        "REDIS_IMAGE": "localhost/redis",
        "PROXY_IMAGE": "localhost/haproxy",
    }
