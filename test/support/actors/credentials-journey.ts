import { randomUUID } from 'node:crypto';
import { answerQuestions } from './answer-questions.js';
import { ConnectVisit, expectStatus, type AppBackEnd } from './link-journey.js';
import type { SessionResponse, View } from './response-bodies.js';

export const CREDENTIALS_BANK = 'sandbox-credentials-bank';
export const PASSWORD = 'pass_good';

export interface CredentialsVisit {
  session: SessionResponse;
  visit: ConnectVisit;
}

/** Opens a session whose user is at the form of Credentials Bank. */
export async function chooseCredentialsBank(
  app: AppBackEnd,
  fields: Record<string, unknown> = {},
): Promise<CredentialsVisit> {
  const session = await app.createSession({ customer_user: { id: randomUUID() }, ...fields });
  const visit = await ConnectVisit.open(app.baseUrl, session.link_session_token);
  await visit.choose(CREDENTIALS_BANK);
  if (visit.view.step.kind !== 'form')
    throw new Error(`Credentials Bank asks for no password: ${JSON.stringify(visit.view.step)}`);
  return { session, visit };
}

export function signIn(visit: ConnectVisit, userName: string, password = PASSWORD): Promise<View> {
  return visit.answer(credentials(userName, password));
}

export function credentials(userName: string, password = PASSWORD) {
  return { kind: 'form', values: { username: userName, password } };
}

/** The correct answer to each question after the password (link-lifecycle 13.3). */
const FACTORS: Record<string, unknown> = {
  choice: { kind: 'choice', option_ids: ['sms'] },
  otp: { kind: 'otp', code: '123456' },
  image: { kind: 'image', answer: '7A3F' },
  form: { kind: 'form', values: { colour: 'blue', pet: 'rex' } },
};

/**
 * Signs in and answers every factor, up to the next step. `seen` contains the kinds of the steps
 * before it.
 */
export async function passFactors(
  visit: ConnectVisit,
  userName: string,
  seen: string[] = [],
): Promise<View> {
  seen.push(visit.view.step.kind);
  let view = await signIn(visit, userName);
  for (
    let answer = FACTORS[view.step.kind];
    answer !== undefined;
    answer = FACTORS[view.step.kind]
  ) {
    seen.push(view.step.kind);
    view = await visit.answer(answer);
  }
  return view;
}

/** Completes the whole flow of one user, and returns the final step. */
export async function goThroughCredentialsBank(
  visit: ConnectVisit,
  userName: string,
): Promise<View> {
  await passFactors(visit, userName);
  return answerQuestions(visit);
}

/** Creates a connected link of a user of Credentials Bank. */
export async function linkCredentialsBank(
  app: AppBackEnd,
  userName = 'user_good',
  fields: Record<string, unknown> = {},
): Promise<{ linkId: string; visit: ConnectVisit }> {
  const { visit } = await chooseCredentialsBank(app, fields);
  const view = await goThroughCredentialsBank(visit, userName);
  if (view.step.kind !== 'success')
    throw new Error(`${userName} ended in ${JSON.stringify(view.step)}`);
  const { exchangeable_token: token } = await visit.finish();
  return { visit, linkId: (await expectStatus(201, app.exchange(token))).link_id };
}
