import type { Step } from '../../domain/session/connect-step.js';
import type { Tx } from '../database/tx.js';
import { Prisma, type LinkSession } from '../generated/client.js';
import { asJson } from '../database/json-column.js';
import { notify } from '../database/notifications.js';

/** A step to show in the same transaction as the change that leads to it. */
export interface ShownStep {
  seq: number;
  step: Step;
}

const ENDS_OF_ATTEMPT: readonly Step['kind'][] = ['select_institution', 'success', 'error'];

/** Writes the step into the locked session, unless it already shows a newer one, and tells those who wait for it. */
export async function showStep(
  tx: Tx,
  row: LinkSession,
  shown: ShownStep,
  also: Prisma.LinkSessionUpdateInput = {},
): Promise<void> {
  const newer = shown.seq > row.seq;
  // link-lifecycle 2.5: at the choice of a bank the user has said nothing yet of a link there.
  const undone = shown.step.kind === 'select_institution' ? withoutExtension(row) : {};
  // What the bank asked for last can be shown again, until the attempt has come to an end.
  const prepared = ENDS_OF_ATTEMPT.includes(shown.step.kind) ? { preparedStep: Prisma.DbNull } : {};
  if (newer && !isOnTheWay(shown.step))
    await tx.oAuthState.deleteMany({ where: { sessionId: row.sessionId, returnedAt: null } });
  await tx.linkSession.update({
    where: { sessionId: row.sessionId },
    data: {
      ...also,
      ...(newer ? { seq: shown.seq, step: asJson(shown.step), ...prepared, ...undone } : {}),
    },
  });
  notify(tx, 'link_session', row.sessionId);
}

/** A relink that the user had made of a new link is none any more: the existing link never learns of it. */
export function withoutExtension({ mode, beganAs }: LinkSession): Prisma.LinkSessionUpdateInput {
  return mode === 'relink' && beganAs === 'link'
    ? { mode: 'link', existingLinkId: null, link: { disconnect: true } }
    : {};
}

/** While one of these is shown, the user may still come back from the bank's own pages. */
function isOnTheWay(step: Step): boolean {
  return step.kind === 'wait' || (step.kind === 'redirect' && step.started);
}
