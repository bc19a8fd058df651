import type { Database } from './database.js';

/** Worlds keep their data apart: another seed, other people, other faults. */
export interface WorldStore {
  exists(worldId: string): Promise<boolean>;
  /** Makes the world unless it is there; an existing one keeps its seed. */
  ensure(worldId: string, seed: string): Promise<void>;
  /** Forgets a world with everything in it. Forgetting twice is forgetting once. */
  forget(worldId: string): Promise<void>;
}

export function createWorldStore(database: Database): WorldStore {
  return {
    async exists(worldId) {
      return (await database.query('select 1 from sandbox_bank.world where world_id = $1', [worldId])).length > 0;
    },

    async ensure(worldId, seed) {
      await database.query('insert into sandbox_bank.world (world_id, seed) values ($1, $2) on conflict (world_id) do nothing', [worldId, seed]);
    },

    async forget(worldId) {
      await database.transaction(async (client) => {
        const histories = 'select history_id from sandbox_bank.connection where world_id = $1';
        await client.query(`delete from sandbox_bank.changing_history where history_id in (${histories})`, [worldId]);
        await client.query(`delete from sandbox_bank.scripted_history where history_id in (${histories})`, [worldId]);
        await client.query('delete from sandbox_bank.login where world_id = $1', [worldId]);
        await client.query('delete from sandbox_bank.connection where world_id = $1', [worldId]);
        await client.query('delete from sandbox_bank.world where world_id = $1', [worldId]);
      });
    },
  };
}
