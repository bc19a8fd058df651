"""A copy of transactions in PostgreSQL, for `client.transactions.sync_into(link_id, store)`.

It needs psycopg: `pip install "psycopg[binary]"`.
"""

import psycopg
from tributary import SyncedPage, SyncPosition

TABLES = """
CREATE TABLE IF NOT EXISTS sync_positions (
  link_id text PRIMARY KEY, cursor text NOT NULL, restarting boolean NOT NULL DEFAULT false);
CREATE TABLE IF NOT EXISTS transactions (
  link_id text NOT NULL, transaction_id text NOT NULL, data jsonb NOT NULL,
  PRIMARY KEY (link_id, transaction_id));
CREATE TABLE IF NOT EXISTS replacement_transactions (LIKE transactions INCLUDING ALL);
"""

PUT = """
INSERT INTO {} VALUES (%s, %s, %s)
ON CONFLICT (link_id, transaction_id) DO UPDATE SET data = excluded.data
"""

SET_POSITION = """
INSERT INTO sync_positions VALUES (%s, %s, %s)
ON CONFLICT (link_id) DO UPDATE SET cursor = excluded.cursor, restarting = excluded.restarting
"""


class PostgresqlStore:
    """Uses one connection, for one walk at a time."""

    def __init__(self, address: str) -> None:
        self._database = psycopg.connect(address, autocommit=True)
        self._database.execute(TABLES)

    def close(self) -> None:
        self._database.close()

    def load(self, link_id: str) -> SyncPosition | None:
        row = self._database.execute(
            "SELECT cursor, restarting FROM sync_positions WHERE link_id = %s", (link_id,)
        ).fetchone()
        return SyncPosition(row[0], row[1]) if row else None

    def commit(self, link_id: str, page: SyncedPage) -> None:
        table = "replacement_transactions" if page.replacement else "transactions"
        with self._database.transaction(), self._database.cursor() as database:
            if page.replacement and page.replacement.begins:
                database.execute(
                    "DELETE FROM replacement_transactions WHERE link_id = %s", (link_id,)
                )
            database.executemany(
                PUT.format(table),
                [(link_id, row.transaction_id, row.to_json()) for row in page.upserted],
            )
            database.execute(
                f"DELETE FROM {table} WHERE link_id = %s AND transaction_id = ANY(%s)",
                (link_id, page.removed),
            )
            if page.replacement and page.replacement.completes:
                database.execute("DELETE FROM transactions WHERE link_id = %s", (link_id,))
                database.execute(
                    "WITH moved AS (DELETE FROM replacement_transactions WHERE link_id = %s"
                    " RETURNING *) INSERT INTO transactions SELECT * FROM moved",
                    (link_id,),
                )
            database.execute(
                SET_POSITION, (link_id, page.position.cursor, page.position.restarting)
            )
