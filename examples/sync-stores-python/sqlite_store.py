"""A copy of transactions in SQLite, for `client.transactions.sync_into(link_id, store)`."""

import sqlite3

from tributary import SyncedPage, SyncPosition

TABLES = """
CREATE TABLE IF NOT EXISTS sync_positions (
  link_id TEXT PRIMARY KEY, cursor TEXT NOT NULL, restarting INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS transactions (
  link_id TEXT NOT NULL, transaction_id TEXT NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (link_id, transaction_id));
CREATE TABLE IF NOT EXISTS replacement_transactions (
  link_id TEXT NOT NULL, transaction_id TEXT NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (link_id, transaction_id));
"""


class SqliteStore:
    """Belongs to the thread that made it; each thread opens the file for itself."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, timeout=30)
        self._database.executescript(TABLES)

    def close(self) -> None:
        self._database.close()

    def load(self, link_id: str) -> SyncPosition | None:
        row = self._database.execute(
            "SELECT cursor, restarting FROM sync_positions WHERE link_id = ?", (link_id,)
        ).fetchone()
        return SyncPosition(row[0], bool(row[1])) if row else None

    def commit(self, link_id: str, page: SyncedPage) -> None:
        table = "replacement_transactions" if page.replacement else "transactions"
        with self._database as database:  # One transaction: all of it is stored, or nothing.
            if page.replacement and page.replacement.begins:
                database.execute(
                    "DELETE FROM replacement_transactions WHERE link_id = ?", (link_id,)
                )
            database.executemany(
                f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)",
                [(link_id, row.transaction_id, row.to_json()) for row in page.upserted],
            )
            database.executemany(
                f"DELETE FROM {table} WHERE link_id = ? AND transaction_id = ?",
                [(link_id, transaction_id) for transaction_id in page.removed],
            )
            if page.replacement and page.replacement.completes:
                database.execute("DELETE FROM transactions WHERE link_id = ?", (link_id,))
                database.execute(
                    "INSERT INTO transactions "
                    "SELECT * FROM replacement_transactions WHERE link_id = ?",
                    (link_id,),
                )
                database.execute(
                    "DELETE FROM replacement_transactions WHERE link_id = ?", (link_id,)
                )
            database.execute(
                "INSERT OR REPLACE INTO sync_positions VALUES (?, ?, ?)",
                (link_id, page.position.cursor, page.position.restarting),
            )
