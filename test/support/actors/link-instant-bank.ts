import type { ExchangeResponse, SessionResponse, SessionResult } from './response-bodies.js';
import { AppBackEnd, ConnectVisit, expectStatus, INSTANT_BANK } from './link-journey.js';

export interface LinkedBank {
  linkId: string;
  session: SessionResponse;
  visit: ConnectVisit;
  result: SessionResult;
  exchanged: ExchangeResponse;
}

/** The five steps of link-lifecycle 4 at Instant Bank. */
export async function linkInstantBank(
  app: AppBackEnd,
  fields: Record<string, unknown> = {},
): Promise<LinkedBank> {
  const session = await app.createSession(fields);
  const visit = await ConnectVisit.open(app.baseUrl, session.link_session_token);
  const view = await visit.choose(INSTANT_BANK);
  if (view.step.kind !== 'success')
    throw new Error(`Instant Bank ended in ${JSON.stringify(view.step)}`);
  const result = await visit.finish();
  const exchanged = await expectStatus(201, app.exchange(result.exchangeable_token));
  return { linkId: exchanged.link_id, session, visit, result, exchanged };
}
