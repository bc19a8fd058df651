import type { AnnouncedOutcome } from '../../../../../domain/session/session-outcome.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import { presentApp, type OpenedView } from '../session/present-view.js';
import { completionOf } from './completion.js';

/** The end of a session, as the hosted page shows it after a reload: no institution, account or token. */
export function presentEnd(session: SessionRecord, outcome: AnnouncedOutcome) {
  const { completion_redirect_uri: uri = null } = completionOf(session, outcome);
  return {
    session_id: session.sessionId,
    outcome,
    app: presentApp(session),
    completion_redirect_uri: uri,
  };
}

/** One of the two is null. Source: connect 4, "Reopening". */
export type ReopenedSession =
  | { view: OpenedView; end: null }
  | { view: null; end: ReturnType<typeof presentEnd> };
