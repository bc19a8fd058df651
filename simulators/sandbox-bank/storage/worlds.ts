import { isSeenAgain, type Database } from './database.js';

/** Worlds keep their data apart: another seed, other people, other faults. */
export class WorldStore {
  constructor(private readonly database: Database) {}

  async exists(worldId: string): Promise<boolean> {
    const [row] = await this.database.query<{ seenAgain: boolean }>(
      `select ${isSeenAgain('w')} as "seenAgain" from sandbox_bank.world w where world_id = $1`,
      [worldId],
    );
    if (row?.seenAgain === true)
      await this.database.query(
        'update sandbox_bank.world set last_used_at = now() where world_id = $1',
        [worldId],
      );
    return row !== undefined;
  }

  /** Creates the world unless it exists; an existing one keeps its seed. */
  async ensure(worldId: string, seed: string): Promise<void> {
    await this.database.query(
      `insert into sandbox_bank.world as w (world_id, seed) values ($1, $2)
       on conflict (world_id) do update set last_used_at = now() where ${isSeenAgain('w')}`,
      [worldId, seed],
    );
  }

  /** Deletes a world with everything in it. Idempotent. */
  async forget(worldId: string): Promise<void> {
    const histories = 'select history_id from sandbox_bank.connection where world_id = $1';
    const rows = [
      `changing_history where history_id in (${histories})`,
      `scripted_history where history_id in (${histories})`,
      'login where world_id = $1',
      'connection where world_id = $1',
      'world where world_id = $1',
    ];
    await this.database.transaction(async (client) => {
      for (const found of rows) await client.query(`delete from sandbox_bank.${found}`, [worldId]);
    });
  }
}
