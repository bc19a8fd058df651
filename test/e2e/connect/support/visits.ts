import { ConnectVisit, type AppBackEnd } from '../../../support/actors/link-journey.js';
import type { StoredTruth } from '../../../support/assertions/stored-truth.js';

export async function newVisit(
  app: AppBackEnd,
  fields: Record<string, unknown> = {},
): Promise<ConnectVisit> {
  return ConnectVisit.open(app.baseUrl, (await app.createSession(fields)).link_session_token);
}

/** The stored state of the session, which a refused call must not change. */
export async function storedSession(truth: StoredTruth, sessionId: string) {
  const [row] = await truth.rows<{
    seq: number;
    steps_taken: number;
    state: string;
    links: string;
  }>(
    `SELECT s.seq, s.steps_taken, s.state, (SELECT count(*) FROM links l WHERE l.customer_user_pk = s.customer_user_pk) AS links
       FROM link_sessions s WHERE s.session_id = $1`,
    [sessionId],
  );
  return row;
}
