"""The little that the front must know of HTTP: a request's head, proxies, and how to say no."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import ip_address, ip_network

import msgspec


class Head(msgspec.Struct, frozen=True):
    """What decides who serves a request. The server that does parses it again, and strictly."""

    path: str
    upgrades: bool
    """Whether it asks for a WebSocket."""
    forwarded_for: str

    @classmethod
    def parse(cls, head: bytes) -> Head:
        """The head without the blank line at its end. Anything at all can be parsed."""
        first, *lines = head.decode("latin-1").split("\r\n")
        method, _, rest = first.partition(" ")
        values: dict[str, list[str]] = {"upgrade": [], "x-forwarded-for": []}
        for line in lines:
            name, _, value = line.partition(":")
            found = values.get(name.lower())
            if found is not None:
                found.append(value)
        tokens = {token.strip().lower() for token in ",".join(values["upgrade"]).split(",")}
        return cls(
            path=rest.partition(" ")[0].partition("?")[0],
            upgrades=method == "GET" and "websocket" in tokens,
            forwarded_for=",".join(values["x-forwarded-for"]),
        )


class Proxies:
    """The proxies whose word on a client's address is taken."""

    __slots__ = ("_networks",)

    def __init__(self, trusted: Sequence[str]) -> None:
        self._networks = tuple(ip_network(network) for network in trusted)

    def trusts(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        return any(ip in network for network in self._networks)

    def speak_for(self, peer: str, forwarded_for: str) -> str:
        """The client's address: the last in X-Forwarded-For that no trusted proxy has written.

        What stands before it, a client may have made up.
        """
        address = peer
        for said in reversed(forwarded_for.split(",")):
            if not self.trusts(address):
                break
            try:
                address = str(ip_address(said.strip()))
            except ValueError:
                break
        return address


def error_body(code: str, message: str) -> bytes:
    """An error in the form of the API."""
    return msgspec.json.encode({"error": {"code": code, "message": message}})


def response(status: HTTPStatus, code: str, message: str) -> bytes:
    """A whole response that refuses and closes."""
    body = error_body(code, message)
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    if status is HTTPStatus.UPGRADE_REQUIRED:
        lines.append("Upgrade: websocket")
    return "\r\n".join([*lines, "", ""]).encode() + body
