import type { Database } from './database.js';
import { isSeenAgain } from './last-use.js';

/** Worlds keep their data apart: another seed, other people, other faults. */
export interface WorldStore {
  exists(worldId: string): Promise<boolean>;
  /** Creates the world unless it exists; an existing one keeps its seed. */
  ensure(worldId: string, seed: string): Promise<void>;
  /** Deletes a world with everything in it. Idempotent. */
  forget(worldId: string): Promise<void>;
}

export function createWorldStore(database: Database): WorldStore {
  return {
    async exists(worldId) {
      const [row] = await database.query(
        `select ${isSeenAgain('w')} as seen_again from sandbox_bank.world w where world_id = $1`,
        [worldId],
      );
      if (row?.['seen_again'] === true) {
        await database.query(
          'update sandbox_bank.world set last_used_at = now() where world_id = $1',
          [worldId],
        );
      }
      return row !== undefined;
    },

    async ensure(worldId, seed) {
      await database.query(
        `insert into sandbox_bank.world as w (world_id, seed) values ($1, $2)
         on conflict (world_id) do update set last_used_at = now() where ${isSeenAgain('w')}`,
        [worldId, seed],
      );
    },

    async forget(worldId) {
      await database.transaction(async (client) => {
        const histories = 'select history_id from sandbox_bank.connection where world_id = $1';
        await client.query(
          `delete from sandbox_bank.changing_history where history_id in (${histories})`,
          [worldId],
        );
        await client.query(
          `delete from sandbox_bank.scripted_history where history_id in (${histories})`,
          [worldId],
        );
        await client.query('delete from sandbox_bank.login where world_id = $1', [worldId]);
        await client.query('delete from sandbox_bank.connection where world_id = $1', [worldId]);
        await client.query('delete from sandbox_bank.world where world_id = $1', [worldId]);
      });
    },
  };
}
