import type { HoldingsChange } from '../investments/holdings-change.js';
import type { LiabilityChange } from '../liabilities/scripted-liabilities.js';
import type { Database } from '../storage/database.js';
import type { ScriptedRow } from './scripted-row.js';

/** Everything that scripts wrote into a customer's history, in the order of the steps. */
export interface ScriptedHistory {
  rows: ScriptedRow[];
  holdings: HoldingsChange[];
  liabilities: LiabilityChange[];
}

/** The work of scripts, by the history it belongs to. */
export class ScriptedHistoryStore {
  constructor(private readonly database: Database) {}

  async read(historyId: string): Promise<ScriptedHistory> {
    const [history] = await this.database.query<ScriptedHistory>(
      'select rows, holdings, liabilities from sandbox_bank.scripted_history where history_id = $1',
      [historyId],
    );
    return history ?? { rows: [], holdings: [], liabilities: [] };
  }

  /** Lets `change` decide a part's new state, one change after the other; without `after` nothing changes. */
  change<Part extends keyof ScriptedHistory, End extends object>(
    historyId: string,
    part: Part,
    change: (before: ScriptedHistory[Part]) => End | (End & { after: ScriptedHistory[Part] }),
  ): Promise<End> {
    return this.database.transaction(async (client) => {
      await client.query(
        'insert into sandbox_bank.scripted_history (history_id) values ($1) on conflict (history_id) do nothing',
        [historyId],
      );
      const { rows } = await client.query<{ before: ScriptedHistory[Part] }>(
        `select ${part} as before from sandbox_bank.scripted_history where history_id = $1 for update`,
        [historyId],
      );
      const [history] = rows;
      if (history === undefined) throw new Error('A history was deleted during its script.');
      const end = change(history.before);
      if ('after' in end)
        await client.query(
          `update sandbox_bank.scripted_history set ${part} = $2 where history_id = $1`,
          [historyId, JSON.stringify(end.after)],
        );
      return end;
    });
  }
}
