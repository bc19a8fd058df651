import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';

type TokenColumn = 'sealed_link_token' | 'sealed_public_token';

/** The data key owner of a session's Plaid tokens, which outlive the session by six hours. */
export const plaidSessionKey = (sessionId: string) => `plaid-session/${sessionId}`;

/** Seals a token that is shown again later. Source: plaid-compat 2. */
export async function sealPlaidToken(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  column: TokenColumn,
  token: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return bytesColumn(
    await ctx.sealer.sealUnder(
      tx,
      plaidSessionKey(sessionId),
      place(sessionId, column),
      Buffer.from(token, 'utf8'),
    ),
  );
}

export async function openPlaidToken(
  ctx: Context,
  sessionId: string,
  column: TokenColumn,
  sealed: Uint8Array,
  db: Tx | Context['database']['prisma'] = ctx.database.prisma,
): Promise<string> {
  return (
    await ctx.sealer.openUnder(db, plaidSessionKey(sessionId), place(sessionId, column), sealed)
  ).toString('utf8');
}

function place(sessionId: string, column: TokenColumn) {
  return { table: 'link_sessions', column, row: sessionId };
}
