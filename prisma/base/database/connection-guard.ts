import type pg from 'pg';
import { admitDatabase, ForeignDatabase, type RunStatement } from './database-identity.js';
import { DroppedSettings } from './explain-connection.js';

/**
 * Checks every new connection of a process, and remembers a refusal that applies to all of them.
 */
export class ConnectionGuard {
  private refused: ForeignDatabase | null = null;

  /** @param anyIdentity admits a database that was restored or failed over: for `operator recover` */
  constructor(private readonly anyIdentity: boolean) {}

  /** The reason that all connections are refused, including open ones; null = they are not. */
  get refusal(): ForeignDatabase | null {
    return this.refused;
  }

  /** @throws DroppedSettings, ForeignDatabase */
  async admit(client: pg.ClientBase): Promise<void> {
    const run: RunStatement = async <Row>(text: string, values: unknown[] = []) =>
      (await client.query(text, values)).rows as Row[];
    await refuseDroppedSettings(client, run);
    try {
      await admitDatabase(run, { anyIdentity: this.anyIdentity });
      this.refused = null;
    } catch (error) {
      if (error instanceof ForeignDatabase) this.refused = error;
      throw error;
    }
  }
}

/** The client's requested parameters, which @types/pg does not declare. */
interface Asking {
  connectionParameters?: { statement_timeout?: number | string | false };
}

/**
 * A pooler that ignores startup parameters lets the client connect, but silently drops every
 * time-out.
 */
async function refuseDroppedSettings(client: pg.ClientBase, run: RunStatement): Promise<void> {
  const asked = Number((client as Asking).connectionParameters?.statement_timeout ?? 0);
  const [row] = await run<{ ms: number }>(
    `SELECT (extract(epoch FROM current_setting('statement_timeout')::interval) * 1000)::int AS ms`,
  );
  if (asked > 0 && row?.ms !== asked) throw new DroppedSettings();
}
