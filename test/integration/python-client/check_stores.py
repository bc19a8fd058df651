"""Commits the same random pages to a store and to memory, fails in the middle of some, and compares.

Arguments: an address of PostgreSQL, or a path of SQLite; a seed.
"""

import random
import sys
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

import psycopg
from postgresql_store import PostgresqlStore
from sqlite_store import SqliteStore
from tributary import MemoryStore, Replacement, SyncedPage, SyncPosition
from tributary.models import Transaction
from tributary.wire import read_json

address, seed = sys.argv[1:]
chance = random.Random(seed)
LINKS = ["mk_1", "mk_2"]
IDS = [f"txn_{number}" for number in range(12)]


def opened():
    if address.startswith("postgres"):
        return PostgresqlStore(address)
    return SqliteStore(address)


def some_page(before):
    restarting = before is not None and before.restarting
    begins = not restarting and chance.random() < 0.2
    completes = (restarting or begins) and chance.random() < 0.3
    in_replacement = restarting or begins
    return SyncedPage(
        upserted=[
            Transaction.model_construct(transaction_id=each, amount=Decimal(chance.randrange(100)))
            for each in chance.sample(IDS, 4)
        ],
        removed=chance.sample(IDS, 2),
        position=SyncPosition(f"cursor {chance.random()}", in_replacement and not completes),
        replacement=Replacement(begins, completes) if in_replacement else None,
    )


def stored(store, link_id):
    placeholder = "%s" if address.startswith("postgres") else "?"
    rows = store._database.execute(
        f"SELECT data FROM transactions WHERE link_id = {placeholder}", (link_id,)
    ).fetchall()
    parsed = [data if isinstance(data, dict) else read_json(data) for (data,) in rows]
    return {row["transaction_id"]: row["amount"] for row in parsed}


def compare(store):
    for link_id in LINKS:
        expected = memory.transactions(link_id)
        assert store.load(link_id) == memory.load(link_id)
        assert stored(store, link_id) == {key: row.amount for key, row in expected.items()}


if address.startswith("postgres"):
    with psycopg.connect(address, autocommit=True) as database:
        database.execute("CREATE SCHEMA IF NOT EXISTS copies")
memory, store = MemoryStore(), opened()
for _ in range(60):
    link = chance.choice(LINKS)
    page = some_page(memory.load(link))
    if chance.random() < 0.4:
        # The position is stored last and cannot be null: all that came before has to be undone.
        with suppress(Exception):
            store.commit(link, replace(page, position=replace(page.position, cursor=None)))
            raise SystemExit("the page was committed without a cursor")
        if chance.random() < 0.5:
            store.close()
            store = opened()
        compare(store)
    store.commit(link, page)
    memory.commit(link, page)
    compare(store)
print("the same")
