import type { ScriptedRow } from '../scripts/scripted-row.js';
import type { Database } from '../storage/database.js';

/** The rows written by scripts, by the history they belong to. */
export class ScriptedHistoryStore {
  constructor(private readonly database: Database) {}

  async rows(historyId: string): Promise<ScriptedRow[]> {
    const [history] = await this.database.query<{ rows: ScriptedRow[] }>(
      'select rows from sandbox_bank.scripted_history where history_id = $1',
      [historyId],
    );
    return history?.rows ?? [];
  }

  /** Lets `change` decide the new rows, one change after the other; without rows nothing changes. */
  change<End extends object>(
    historyId: string,
    change: (rows: readonly ScriptedRow[]) => End | (End & { rows: ScriptedRow[] }),
  ): Promise<End> {
    return this.database.transaction(async (client) => {
      await client.query(
        `insert into sandbox_bank.scripted_history (history_id, rows) values ($1, '[]') on conflict (history_id) do nothing`,
        [historyId],
      );
      const { rows } = await client.query<{ rows: ScriptedRow[] }>(
        'select rows from sandbox_bank.scripted_history where history_id = $1 for update',
        [historyId],
      );
      const end = change(rows[0]?.rows ?? []);
      if ('rows' in end)
        await client.query(
          'update sandbox_bank.scripted_history set rows = $2 where history_id = $1',
          [historyId, JSON.stringify(end.rows)],
        );
      return end;
    });
  }
}
