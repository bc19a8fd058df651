import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';

type TokenColumn = 'sealed_link_token' | 'sealed_public_token';

/** The data key of the readable tokens of a session. It outlives the session by six hours (plaid-compat 2). */
export const sessionTokensKey = (sessionId: string) => `plaid-session/${sessionId}`;

/** Seals a token that its client may read again later. */
export async function sealSessionToken(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  column: TokenColumn,
  token: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return bytesColumn(
    await ctx.sealer.sealUnder(
      tx,
      sessionTokensKey(sessionId),
      place(sessionId, column),
      Buffer.from(token, 'utf8'),
    ),
  );
}

export async function openSessionToken(
  ctx: Context,
  sessionId: string,
  column: TokenColumn,
  sealed: Uint8Array,
  db: Tx | Context['database']['prisma'] = ctx.database.prisma,
): Promise<string> {
  return (
    await ctx.sealer.openUnder(db, sessionTokensKey(sessionId), place(sessionId, column), sealed)
  ).toString('utf8');
}

function place(sessionId: string, column: TokenColumn) {
  return { table: 'link_sessions', column, row: sessionId };
}
