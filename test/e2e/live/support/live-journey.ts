import { randomUUID } from 'node:crypto';
import { signInAtFdxBank } from '../../../../simulators/vendors/fdx/sign-in-at-fdx-bank.js';
import { tokenForm } from '../../../support/fixtures/simplefin-server.js';
import {
  LIVE_BANKS,
  type LiveSimulators,
  type LiveVendor,
} from '../../../support/services/live-simulators.js';
import { answerQuestions } from '../../../support/actors/answer-questions.js';
import {
  ConnectVisit,
  expectStatus,
  type AppBackEnd,
} from '../../../support/actors/link-journey.js';
import type { View } from '../../../support/actors/response-bodies.js';
import {
  arriveAtApp,
  REDIRECT_URI,
  startRedirect,
  submitReturn,
} from '../../../support/actors/oauth-journey.js';

/** A customer of every simulator. */
const CUSTOMER = 'trial';

/** Opens a session at the bank of a vendor. */
export async function chooseLiveBank(
  app: AppBackEnd,
  vendor: LiveVendor,
  fields: Record<string, unknown> = {},
): Promise<ConnectVisit> {
  const session = await app.createSession({
    customer_user: { id: randomUUID() },
    redirect_uri: REDIRECT_URI,
    ...('existing_link_id' in fields
      ? {}
      : {
          institution_id: LIVE_BANKS[vendor].id,
          settings: { countries: ['US', 'FI'] },
        }),
    ...fields,
  });
  return ConnectVisit.open(app.baseUrl, session.link_session_token);
}

export async function newSetupToken({
  simulators,
}: {
  simulators: Pick<LiveSimulators['simulators'], 'simplefin'>;
}): Promise<string> {
  const { setupToken = '' } = await simulators.simplefin.post('simplefin/setup-token', {
    customer: CUSTOMER,
  });
  return setupToken;
}

/** Decides at the bank. @returns the address that the bank sends the user back to */
export async function decideAtLiveBank(
  vendor: Exclude<LiveVendor, 'simplefin'>,
  authorizeUrl: string,
  decision: 'allow' | 'deny' = 'allow',
  customer = CUSTOMER,
): Promise<string> {
  if (vendor === 'fdx')
    return (await signInAtFdxBank(authorizeUrl, { decision, userName: customer })).href;
  const page = new URL(authorizeUrl);
  const response = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      sessionid: page.searchParams.get('sessionid') ?? '',
      decision: decision === 'allow' ? 'accept' : 'deny',
      customer,
    }),
  });
  const address = response.headers.get('location');
  if (address === null) throw new Error(`the bank kept the user on a page (${response.status})`);
  return address;
}

/** Goes to the bank, decides there and returns. `change` forges the return. */
export async function goThroughLiveBank(
  visit: ConnectVisit,
  vendor: Exclude<LiveVendor, 'simplefin'>,
  {
    decision,
    change = () => undefined,
  }: { decision?: 'allow' | 'deny'; change?: (query: URLSearchParams) => void } = {},
): Promise<View> {
  const { authorize_url: authorizeUrl } = await startRedirect(visit);
  const returned = new URL(await decideAtLiveBank(vendor, authorizeUrl, decision));
  change(returned.searchParams);
  return submitReturn(visit, await arriveAtApp(returned.href));
}

/** Logs the customer in and shares everything, up to the last step. */
export async function logInLive(
  visit: ConnectVisit,
  vendor: LiveVendor,
  live: LiveSimulators,
): Promise<View> {
  if (vendor !== 'simplefin') return goThroughLiveBank(visit, vendor);
  await visit.answer(tokenForm(await newSetupToken(live)));
  return answerQuestions(visit);
}

/** Creates a connected link. */
export async function linkLive(
  app: AppBackEnd,
  vendor: LiveVendor,
  live: LiveSimulators,
): Promise<string> {
  const visit = await chooseLiveBank(app, vendor);
  const { step } = await logInLive(visit, vendor, live);
  if (step.kind !== 'success') throw new Error(`${vendor} ended in ${JSON.stringify(step)}`);
  const { exchangeable_token: token } = await visit.finish();
  return (await expectStatus(201, app.exchange(token))).link_id;
}
