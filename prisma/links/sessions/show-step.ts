import type { Step, StepKind } from '../../../domain/session/connect-step.js';
import { phaseShowing, type RowPhase } from '../../../domain/session/session-phase.js';
import type { Tx } from '../../base/database/tx.js';
import { Prisma, type LinkSession } from '../../generated/client.js';
import { asJson } from '../../base/database/json-column.js';
import { notify } from '../../base/database/notifications.js';

/** A step to show in the same transaction as the change that leads to it. */
export interface ShownStep {
  seq: number;
  step: Step;
}

const ENDS_OF_ATTEMPT: readonly Step['kind'][] = ['select_institution', 'success', 'error'];

/** Stores the step in the locked session, unless it already shows a newer one, and notifies its long polls. */
export async function showStep(
  tx: Tx,
  row: LinkSession,
  shown: ShownStep,
  also: Prisma.LinkSessionUpdateInput = {},
): Promise<void> {
  const newer = shown.seq > row.seq;
  // link-lifecycle 2.5: at the choice of a bank, an earlier choice to extend a link is undone.
  const undone = shown.step.kind === 'select_institution' ? withoutExtension(row) : {};
  // The last step of the bank can be shown again until the attempt ends.
  const prepared = ENDS_OF_ATTEMPT.includes(shown.step.kind) ? { preparedStep: Prisma.DbNull } : {};
  if (newer && !isOnTheWay(shown.step))
    await tx.oAuthState.deleteMany({ where: { sessionId: row.sessionId, returnedAt: null } });
  await tx.linkSession.update({
    where: { sessionId: row.sessionId },
    data: {
      ...(newer ? { phase: phaseShowing(shown.step, phaseOf(row)) } : {}),
      ...also,
      ...(newer ? { seq: shown.seq, step: asJson(shown.step), ...prepared, ...undone } : {}),
    },
  });
  notify(tx, 'link_session', row.sessionId);
}

/** The facts besides its step that the phase of a row depends on. */
export function phaseOf({ phase, preparedStep }: Pick<LinkSession, 'phase' | 'preparedStep'>): {
  before: RowPhase;
  prepared: StepKind | null;
} {
  // Only logins write this column, a PreparedStep.
  const prepared = preparedStep as { content: { kind: StepKind } } | null;
  return { before: phase as RowPhase, prepared: prepared?.content.kind ?? null };
}

/** A login that starts, or ends without success: the bank has not accepted it. */
export function notAccepted({ phase }: Pick<LinkSession, 'phase'>) {
  return {
    bankAccepted: false,
    ...(phase === 'asking' ? { phase: 'callingBank' satisfies RowPhase } : {}),
  };
}

/**
 * Turns a session that its user had turned into a relink back into one for a new link. The existing
 * link is unaffected.
 */
export function withoutExtension({ mode, beganAs }: LinkSession): Prisma.LinkSessionUpdateInput {
  return mode === 'relink' && beganAs === 'link'
    ? { mode: 'link', existingLinkId: null, link: { disconnect: true } }
    : {};
}

/** While such a step is shown, the user may still return from the bank's own pages. */
function isOnTheWay(step: Step): boolean {
  return step.kind === 'wait' || (step.kind === 'redirect' && step.started);
}
