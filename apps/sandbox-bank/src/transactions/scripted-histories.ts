import type { ScriptedRow } from '../scripts/scripted-row.js';
import type { Database } from '../storage/database.js';

/** The rows written by scripts, by the history they belong to. */
export interface ScriptedHistoryStore {
  rows(historyId: string): Promise<ScriptedRow[]>;
  /** Lets `change` decide the new rows, one change after the other; null = unchanged. */
  change(
    historyId: string,
    change: (rows: readonly ScriptedRow[]) => ScriptedRow[] | null,
  ): Promise<void>;
}

export function createScriptedHistoryStore(database: Database): ScriptedHistoryStore {
  return {
    async rows(historyId) {
      const [row] = await database.query(
        'select rows from sandbox_bank.scripted_history where history_id = $1',
        [historyId],
      );
      return row === undefined ? [] : (row['rows'] as ScriptedRow[]);
    },

    async change(historyId, change) {
      await database.transaction(async (client) => {
        await client.query(
          `insert into sandbox_bank.scripted_history (history_id, rows) values ($1, '[]') on conflict (history_id) do nothing`,
          [historyId],
        );
        const {
          rows: [found],
        } = await client.query<{ rows: ScriptedRow[] }>(
          'select rows from sandbox_bank.scripted_history where history_id = $1 for update',
          [historyId],
        );
        const after = change(found?.rows ?? []);
        if (after !== null)
          await client.query(
            'update sandbox_bank.scripted_history set rows = $2 where history_id = $1',
            [historyId, JSON.stringify(after)],
          );
      });
    },
  };
}
