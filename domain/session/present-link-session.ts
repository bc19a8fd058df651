import { apiTimestamp, apiTimestampOrNull } from '../api/timestamps.js';
import { outcomeOf, type OutcomeFacts } from './session-outcome.js';

/** The facts of a link session, for its wire form. */
export interface LinkSessionFacts extends OutcomeFacts {
  sessionId: string;
  customerUserId: string;
  institutionId: string | null;
  /** The link of the current attempt. */
  linkId: string | null;
  existingLinkId: string | null;
  tags: readonly string[];
  /** Null = it runs in an SDK. */
  hosted: { returnUrl: string | null } | null;
  createdAt: Date;
  openedAt: Date | null;
  endedAt: Date | null;
}

/** The wire form of a LinkSession, which holds no token. Source: native-api 4.12. */
export function presentLinkSession(session: LinkSessionFacts, now: Date) {
  const { hosted, existingLinkId } = session;
  const outcome = outcomeOf(session, now);
  return {
    session_id: session.sessionId,
    mode: session.mode,
    state: session.state,
    outcome,
    customer_user: { id: session.customerUserId },
    institution_id: session.institutionId,
    // A link whose user did not finish was never known to the app.
    link_id: outcome === 'linked' ? session.linkId : existingLinkId,
    existing_link_id: existingLinkId,
    tags: session.tags,
    hosted: hosted === null ? null : { return_url: hosted.returnUrl },
    created_at: apiTimestamp(session.createdAt),
    opened_at: apiTimestampOrNull(session.openedAt),
    expires_at: apiTimestamp(session.expiresAt),
    ended_at: apiTimestampOrNull(session.endedAt),
  };
}
