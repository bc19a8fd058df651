import type { ShownDecision as Decision } from '../../../../../prisma/sources/routing/route-operator.repository.js';
import type { ShownDecision } from './shown-decision.js';

export function presentDecision({
  sessionId,
  institutionId,
  decidedAt,
  failedCause,
  ...decision
}: Decision): ShownDecision {
  return {
    session_id: sessionId,
    institution_id: institutionId,
    decided_at: decidedAt.toISOString(),
    ...decision,
    failed_cause: failedCause,
  };
}
