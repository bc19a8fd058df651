import type { Database } from '../storage/database.js';

/** Stores the days of the fetches of histories that change with each fetch. */
export class ChangingHistoryStore {
  constructor(private readonly database: Database) {}

  /** Counts a fetch, unless the last one had the same key, and returns the days of all. */
  async countFetch(
    connectionId: string,
    dayNumber: number,
    fetchKey: string | null,
  ): Promise<number[]> {
    await this.database.query(
      `insert into sandbox_bank.changing_history as h (history_id, fetch_days, last_fetch_key)
       select history_id, array[$2::int], $3::text from sandbox_bank.connection where connection_id = $1
       on conflict (history_id) do update
         set fetch_days = h.fetch_days || excluded.fetch_days, last_fetch_key = excluded.last_fetch_key
       where excluded.last_fetch_key is null or h.last_fetch_key is distinct from excluded.last_fetch_key`,
      [connectionId, dayNumber, fetchKey],
    );
    return this.fetchDays(connectionId);
  }

  async fetchDays(connectionId: string): Promise<number[]> {
    const [history] = await this.database.query<{ days: number[] }>(
      `select h.fetch_days as days from sandbox_bank.changing_history h join sandbox_bank.connection c using (history_id)
        where c.connection_id = $1`,
      [connectionId],
    );
    return history?.days ?? [];
  }
}
