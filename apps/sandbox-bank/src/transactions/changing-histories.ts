import type { Database, Row } from '../storage/database.js';

/** Stores the days of the fetches of histories that change with each fetch. */
export interface ChangingHistoryStore {
  /** Counts a fetch, unless the last one had the same key, and returns the days of all. */
  countFetch(connectionId: string, dayNumber: number, fetchKey: string | null): Promise<number[]>;
  fetchDays(connectionId: string): Promise<number[]>;
}

export function createChangingHistoryStore(database: Database): ChangingHistoryStore {
  async function fetchDays(connectionId: string): Promise<number[]> {
    const [row] = await database.query(
      `select h.fetch_days from sandbox_bank.changing_history h join sandbox_bank.connection c using (history_id)
        where c.connection_id = $1`,
      [connectionId],
    );
    return row === undefined ? [] : numbersOf(row);
  }

  return {
    async countFetch(connectionId, dayNumber, fetchKey) {
      await database.query(
        `insert into sandbox_bank.changing_history as h (history_id, fetch_days, last_fetch_key)
         select history_id, array[$2::int], $3::text from sandbox_bank.connection where connection_id = $1
         on conflict (history_id) do update
           set fetch_days = h.fetch_days || excluded.fetch_days, last_fetch_key = excluded.last_fetch_key
         where excluded.last_fetch_key is null or h.last_fetch_key is distinct from excluded.last_fetch_key`,
        [connectionId, dayNumber, fetchKey],
      );
      return fetchDays(connectionId);
    },
    fetchDays,
  };
}

function numbersOf(row: Row): number[] {
  return Array.isArray(row['fetch_days']) ? row['fetch_days'].map(Number) : [];
}
