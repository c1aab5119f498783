"""Metrics: what the hall can say of itself at the moment someone asks, and what it counts."""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import Iterable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from gamehall import __version__
from gamehall.hall.hall import Hall


class Metrics(Collector):
    """One for each hall. To count something new, make a counter with this `registry`."""

    def __init__(self, hall: Hall, started_ms: int) -> None:
        self._hall = hall
        self._started_ms = started_ms
        self.registry = CollectorRegistry()
        self.http_responses = Counter(
            "gamehall_http_responses", "HTTP responses.", ["status"], registry=self.registry
        )
        self.registry.register(self)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)

    def render(self, accept: str) -> tuple[bytes, str]:
        """The metrics and their media type, in the format that suits the `Accept` header."""
        encode, media_type = choose_encoder(accept)
        return encode(self.registry), media_type

    def collect(self) -> Iterable[Metric]:
        yield InfoMetricFamily("gamehall", "The server.", {"version": __version__})
        yield GaugeMetricFamily(
            "gamehall_started_seconds",
            "When the hall opened, Unix time.",
            self._started_ms / 1000,
        )
        yield _gauge(
            "gamehall_players_online",
            "Players who are connected.",
            "kind",
            {"guest": 0, "member": 0, "bot": 0} | Tally(self._hall.people.kinds_here()),
        )
        yield GaugeMetricFamily(
            "gamehall_players_in_memory",
            "Players who are connected to any node, or whose seats this node keeps.",
            self._hall.people.in_memory,
        )
        yield GaugeMetricFamily(
            "gamehall_tasks", "Tasks of the event loop.", len(asyncio.all_tasks())
        )
        loaded = self._hall.reading.all_loaded()
        statuses = Tally(table.state.status for table in loaded)
        yield _gauge(
            "gamehall_tables_in_memory",
            "Tables that this node holds in memory.",
            "status",
            {"waiting": 0, "playing": 0, "over": 0} | statuses,
        )
        yield _gauge(
            "gamehall_tables_held",
            "Tables that this node owns, and those that it follows at others.",
            "how",
            {"owned": 0, "followed": 0}
            | Tally("owned" if table.owned else "followed" for table in loaded),
        )
        nodes = self._hall.nodes
        yield GaugeMetricFamily(
            "gamehall_nodes_live", "Nodes with a lease, as this one knows.", len(nodes.live)
        )
        if not nodes.alone:
            yield GaugeMetricFamily(
                "gamehall_lease_seconds_left", "Of this node's lease.", nodes.seconds_left
            )
            yield CounterMetricFamily(
                "gamehall_tables_handed_over",
                "Tables handed over to nodes that had fewer.",
                self._hall.balance.handed_over,
            )


def _gauge(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    gauge = GaugeMetricFamily(name, text, labels=[label])
    for value, count in values.items():
        gauge.add_metric([value], count)
    return gauge
