import { randomUUID } from 'node:crypto';
import { answerQuestions } from './answer-questions.js';
import { expectStatus, type CallResponse, type AppBackEnd, ConnectVisit } from './link-journey.js';
import type { ErrorBody, SessionResponse, View } from './response-bodies.js';
import { decideAtBank } from './oauth-bank-visitor.js';

export { answerQuestions } from './answer-questions.js';
export { decideAtBank } from './oauth-bank-visitor.js';

export const OAUTH_BANK = 'sandbox-oauth-bank';
export const REDIRECT_URI = 'https://app.example/bank-return';

export interface OAuthStart {
  authorize_url: string;
  state_hash: string;
  expires_at: string;
  view: View;
}

export interface OAuthVisit {
  session: SessionResponse;
  visit: ConnectVisit;
}

/** Opens a session whose user is at the redirect step of OAuth Bank. */
export async function chooseOAuthBank(
  app: AppBackEnd,
  fields: Record<string, unknown> = {},
): Promise<OAuthVisit> {
  const session = await app.createSession({
    customer_user: { id: randomUUID() },
    redirect_uri: REDIRECT_URI,
    ...fields,
  });
  const visit = await ConnectVisit.open(app.baseUrl, session.link_session_token);
  await visit.choose(OAUTH_BANK);
  if (visit.view.step.kind !== 'redirect')
    throw new Error(`OAuth Bank offers no redirect: ${JSON.stringify(visit.view.step)}`);
  return { session, visit };
}

export function startCall(
  visit: ConnectVisit,
  { seq = visit.view.seq, requestId = randomUUID() as string } = {},
): Promise<CallResponse<OAuthStart & ErrorBody>> {
  return visit.call('POST', '/session/oauth/start', {
    seq,
    request_id: requestId,
    window: 'popup',
  });
}

export async function startRedirect(visit: ConnectVisit): Promise<OAuthStart> {
  const started = await expectStatus(200, startCall(visit));
  visit.view = started.view;
  return started;
}

export function callBack(address: string): Promise<Response> {
  return fetch(address, { redirect: 'manual' });
}

/** Follows the browser from the bank to the page of the app; returns the address there. */
export async function arriveAtApp(callbackAddress: string): Promise<string> {
  const { status, headers } = await callBack(callbackAddress);
  const location = headers.get('location');
  if (status !== 303 || location === null) throw new Error(`the callback returned ${status}`);
  return location;
}

export function submitReturnCall(
  visit: ConnectVisit,
  url: string,
): Promise<CallResponse<View & ErrorBody>> {
  return visit.call('POST', '/session/oauth/return', { request_id: randomUUID(), url });
}

/** Passes the address to the window that started, and answers all further questions. */
export async function submitReturn(visit: ConnectVisit, url: string): Promise<View> {
  visit.view = await expectStatus(200, submitReturnCall(visit, url));
  return answerQuestions(visit);
}

/** Completes the whole flow of one user, and returns the final step. */
export async function goThroughOAuthBank(
  visit: ConnectVisit,
  decision: Parameters<typeof decideAtBank>[1] = {},
): Promise<View> {
  const { authorize_url: authorizeUrl } = await startRedirect(visit);
  return submitReturn(visit, await arriveAtApp(await decideAtBank(authorizeUrl, decision)));
}
