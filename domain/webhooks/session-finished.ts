import type { SessionEnd } from '../announcements/api-format.js';
import { commonFields } from './webhook-bodies.js';

export const SESSION_FINISHED = 'link_session.finished';

/** The webhook about the end of a hosted session; it holds no token. Source: webhooks 2.6. */
export function renderSessionFinished(end: SessionEnd): { shown: string; sent: null } {
  const body = {
    ...commonFields(SESSION_FINISHED, end),
    session_id: end.sessionId,
    outcome: end.outcome,
  };
  return { shown: JSON.stringify(body), sent: null };
}
