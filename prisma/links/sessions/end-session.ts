import type { Step } from '../../../domain/session/connect-step.js';
import type { RowPhase } from '../../../domain/session/session-phase.js';
import { exitAt } from '../../../domain/session/session-exit.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { Prisma } from '../../generated/client.js';
import { notify } from '../../base/database/notifications.js';
import { asJson } from '../../base/database/json-column.js';
import { releaseLogin } from '../../sources/permissions/release-permission.js';

export type SessionEnd =
  | 'expired'
  | 'exchanged'
  | 'exchange_window_over'
  | 'link_deleted'
  | 'cancelled'
  | 'superseded'
  | 'user_erased';

/**
 * Steps can show names and balances of accounts, and sandbox data describes a person, so both are
 * erased with the session.
 */
const NOTHING_KEPT = {
  phase: 'over' satisfies RowPhase,
  step: Prisma.DbNull,
  preparedStep: Prisma.DbNull,
  theme: Prisma.DbNull,
  sandboxData: Prisma.DbNull,
};

/** Clients of APIs other than the native one may request later where the user stopped. */
async function noteWhereItEnded(ctx: Context, tx: Tx, sessionId: string): Promise<void> {
  const open = await tx.linkSession.findFirst({
    where: {
      sessionId,
      state: 'open',
      webhookFormat: { not: 'native' },
      exit: { equals: Prisma.DbNull },
    },
    select: { step: true, institutionId: true },
  });
  if (open === null) return;
  // Only showStep writes this column.
  const exit = exitAt(open.step as Step | null, {
    at: ctx.clock(),
    institutionId: open.institutionId,
    searchedInVain: false,
  });
  await tx.linkSession.update({
    where: { sessionId },
    data: { exit: asJson(exit) },
    select: { sessionId: true },
  });
}

/** Ends a session: erases its sealed values, and revokes a permission that no link uses. */
export async function endSession(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  reason: SessionEnd,
): Promise<void> {
  await noteWhereItEnded(ctx, tx, sessionId);
  await tx.linkSession.updateMany({
    where: { sessionId, state: { not: 'ended' } },
    data: { state: 'ended', endReason: reason, endedAt: ctx.clock(), ...NOTHING_KEPT },
  });
  await releaseLogin(ctx, tx, sessionId);
  await tx.sessionSecret.deleteMany({ where: { sessionId } });
  await tx.oAuthState.deleteMany({ where: { sessionId } });
  await ctx.sealer.eraseKey(tx, `session/${sessionId}`);
  notify(tx, 'link_session', sessionId);
}
