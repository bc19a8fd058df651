import { createHash } from 'node:crypto';
import type { Context } from '../../base/context.js';
import { lockOpenSession } from '../../links/sessions/lock-open-session.js';
import { putSecret, USED_TOKEN } from '../../base/sealing/session-secret.js';

/**
 * Hashes of the single-use tokens that a session has used at its source, kept until the session
 * ends.
 */
export class UsedTokenRepository {
  constructor(private readonly ctx: Context) {}

  async add(sessionId: string, token: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await lockOpenSession(tx, sessionId);
      await putSecret(this.ctx, tx, sessionId, USED_TOKEN, hashOf(token), Buffer.from('used'));
    });
  }

  async includes(sessionId: string, token: string): Promise<boolean> {
    const key = { sessionId, kind: USED_TOKEN, name: hashOf(token) };
    const row = await this.ctx.database.prisma.sessionSecret.findUnique({
      where: { sessionId_kind_name: key },
      select: { kind: true },
    });
    return row !== null;
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
