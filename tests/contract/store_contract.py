"""What holds for every store.

Inherit it, give it a store that has started, and pytest runs it all:

    class TestMyStore(StoreContract):
        @pytest.fixture
        async def store(self) -> AsyncIterator[Store]:
            ...
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from gamehall.store.store import Store
from tests.contract.store_account_contract import AccountContract
from tests.contract.store_append_contract import AppendContract
from tests.contract.store_audit_contract import AuditContract
from tests.contract.store_facts_contract import FactsContract
from tests.contract.store_list_contract import ListContract
from tests.contract.store_nodes_contract import NodesContract
from tests.contract.store_requests_contract import RequestsContract


class StoreContract(
    AppendContract,
    RequestsContract,
    ListContract,
    AccountContract,
    AuditContract,
    FactsContract,
    NodesContract,
):
    @pytest.fixture
    def store(self) -> AsyncIterator[Store]:
        raise NotImplementedError("give the suite a store")

    async def test_ping_returns_while_the_store_works(self, store: Store) -> None:
        await store.ping()
