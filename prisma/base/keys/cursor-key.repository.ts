import { createHmac, randomBytes } from 'node:crypto';
import type { CursorMac } from '../../../domain/api/cursor-text.js';
import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import type { MasterSealContext } from '../sealing/sealer.js';

const KEY_BYTES = 32;

/**
 * The keys that authenticate sync cursors. Retired keys still verify and are never deleted, because
 * cursors never expire.
 */
export class CursorKeys {
  private readonly keys = new Map<number, Buffer>();
  private newest: number | null = null;

  constructor(private readonly ctx: Context) {}

  /**
   * Loads the keys, creating the first one if there is none. Processes that start concurrently
   * agree on it.
   */
  async ensure(): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('cursor_keys'))`;
      if ((await tx.cursorKey.count({ where: { retiredAt: null } })) > 0) return;
      const [next] = await tx.$queryRaw<
        { id: number }[]
      >`SELECT nextval(pg_get_serial_sequence('cursor_keys', 'key_id'))::int AS id`;
      if (next === undefined) throw new Error('the database returned no id for a cursor key');
      const sealed = await this.ctx.sealer.sealWithMaster(place(next.id), randomBytes(KEY_BYTES));
      await tx.cursorKey.create({
        data: { keyId: next.id, sealed: bytesColumn(sealed), createdAt: this.ctx.clock() },
      });
    });
    await this.load();
  }

  /** Reloads the keys, for example after another process rotated them. */
  async load(): Promise<void> {
    const rows = await this.ctx.database.prisma.cursorKey.findMany({ orderBy: { keyId: 'asc' } });
    for (const { keyId, sealed } of rows) {
      if (!this.keys.has(keyId))
        this.keys.set(keyId, await this.ctx.sealer.openWithMaster(place(keyId), sealed));
    }
    this.newest = rows.filter(({ retiredAt }) => retiredAt === null).at(-1)?.keyId ?? null;
  }

  /** The key that authenticates new cursors. */
  get currentKeyId(): number {
    if (this.newest === null) throw new Error('no cursor key is loaded');
    return this.newest;
  }

  /**
   * For domain/api/cursor-text.ts. Throws for an unknown key, which makes the cursor unreadable.
   */
  readonly mac: CursorMac = (keyId, message) => {
    const key = this.keys.get(keyId);
    if (key === undefined) throw new RangeError(`there is no cursor key ${keyId}`);
    return createHmac('sha256', key).update(message).digest();
  };
}

function place(keyId: number): MasterSealContext {
  return { table: 'cursor_keys', column: 'sealed', row: String(keyId) };
}
