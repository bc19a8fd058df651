import { signInAtFdxBank } from '../../../../simulators/vendors/fdx/sign-in-at-fdx-bank.js';
import { createSetupToken } from '../../../support/fixtures/simplefin-server.js';
import type { LiveVendor, SimulatedProviders } from '../../../support/services/live-simulators.js';
import { answerQuestions } from '../../../support/actors/answer-questions.js';
import type { ConnectVisit } from '../../../support/actors/link-journey.js';
import type { View } from '../../../support/actors/response-bodies.js';
import { arriveAtApp, startRedirect, submitReturn } from '../../../support/actors/oauth-journey.js';

/** A user who has the same accounts at every simulated vendor. */
export const MOVER = 'mover';

/** Logs the user in through a vendor, and shares everything; returns the final step. */
export async function logInThrough(
  provider: LiveVendor,
  visit: ConnectVisit,
  { simulators }: Pick<SimulatedProviders, 'simulators'>,
): Promise<View> {
  if (provider === 'simplefin') {
    const setupToken = await createSetupToken(simulators.simplefin.url, MOVER);
    await visit.answer({ kind: 'form', values: { setup_token: setupToken } });
    return answerQuestions(visit);
  }
  const { authorize_url: authorizeUrl } = await startRedirect(visit);
  const returned =
    provider === 'fdx'
      ? (await signInAtFdxBank(authorizeUrl, { userName: MOVER })).href
      : await acceptAtEnableBanking(authorizeUrl);
  return submitReturn(visit, await arriveAtApp(returned));
}

async function acceptAtEnableBanking(authorizeUrl: string): Promise<string> {
  const { searchParams, href } = new URL(authorizeUrl);
  const sessionid = searchParams.get('sessionid') ?? '';
  const { headers } = await fetch(href.split('?')[0] ?? '', {
    method: 'POST',
    body: new URLSearchParams({ sessionid, customer: MOVER, decision: 'accept' }),
    redirect: 'manual',
  });
  const location = headers.get('location');
  if (location === null) throw new Error('the bank did not redirect');
  return location;
}
