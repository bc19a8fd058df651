import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';

/** The kind of the secret that holds domain/session/end-user.ts. */
export const END_USER = 'end_user';
/** The kind of prisma/work/linking/used-token.repository.ts; survives the attempts of its session. */
export const USED_TOKEN = 'used_token';

/** Seals a secret into a session, replacing any earlier one of that name. */
export async function putSecret(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  kind: string,
  name: string,
  plain: Uint8Array,
): Promise<void> {
  const key = { sessionId, kind, name };
  const sealed = bytesColumn(
    await ctx.sealer.sealUnder(
      tx,
      `session/${sessionId}`,
      secretPlace(sessionId, kind, name),
      plain,
    ),
  );
  await tx.sessionSecret.upsert({
    where: { sessionId_kind_name: key },
    create: { ...key, sealed, createdAt: ctx.clock() },
    update: { sealed },
  });
}

/** The opened secret; null when there is none, or it was erased with its session. */
export async function openSecret(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  sessionId: string,
  kind: string,
  name: string,
): Promise<Buffer | null> {
  const row = await db.sessionSecret.findUnique({
    where: { sessionId_kind_name: { sessionId, kind, name } },
  });
  return row === null
    ? null
    : ctx.sealer.openUnder(
        db,
        `session/${sessionId}`,
        secretPlace(sessionId, kind, name),
        row.sealed,
      );
}

function secretPlace(sessionId: string, kind: string, name: string) {
  return { table: 'session_secrets', column: 'sealed', row: `${sessionId}/${kind}/${name}` };
}
