import { randomUUID } from 'node:crypto';
import { CountryCode, Products, type PlaidApi } from 'plaid';
import { answerQuestions } from '../../../support/actors/answer-questions.js';
import { AppBackEnd, ConnectVisit, expectStatus } from '../../../support/actors/link-journey.js';
import type { SessionResult } from '../../../support/actors/response-bodies.js';
import { chooseLiveBank, decideAtLiveBank } from './live-journey.js';
import { arriveAtApp, startRedirect } from '../../../support/actors/oauth-journey.js';
import { operate } from '../../../support/actors/operator.js';
import { opened, PersonalBrowser } from './personal-browser.js';
import { plaidClient } from '../../../support/actors/plaid-client.js';
import type { StandaloneApp } from '../../../support/services/standalone.js';
import { LIVE_BANKS } from '../../../support/services/live-simulators.js';
import { live, service, truth } from './live-service.js';

/**
 * Two customers of the same banks. The attacker sends the victim addresses of the attacker's own
 * session. No account of one may ever be in a link of the other (connect 7, "Session swapping").
 */
export const REDIRECTS = ['enable-banking', 'fdx'] as const;
export type Vendor = (typeof REDIRECTS)[number];
export const REDIRECT_URI = 'https://app.example/bank-return';
export const CUSTOMER = { attacker: 'trial', victim: 'neighbor' } as const;
export type Person = keyof typeof CUSTOMER;

export let app: AppBackEnd;
export let plaid: PlaidApi;
let connectBaseUrl: string;
export let appId: string;

/** Gives them an app of their own in the service of the file. */
export function startTwoCustomers(): void {
  beforeAll(async () => {
    const { info, dataDir } = service;
    const create = ['apps', 'create', '--name', 'App of two customers'];
    const { app_id: id, sandbox: pair } = await operate<StandaloneApp>(dataDir, ...create);
    await operate(dataDir, 'apps', 'update', id, '--feature', 'duplicate_institution_warning');
    app = new AppBackEnd(info.base_url, pair);
    plaid = plaidClient(info.base_url, {
      'PLAID-CLIENT-ID': pair.client_id,
      'PLAID-SECRET': pair.client_secret,
    });
    appId = id;
    connectBaseUrl = info.connect_base_url;
  });
}

export const newBrowser = () => new PersonalBrowser(app.baseUrl, connectBaseUrl);

/** The masks of a person's accounts at the bank of a vendor. */
export async function masksOf(person: Person, vendor: Vendor): Promise<string[]> {
  const { customers } = await live.simulators[vendor].ledger();
  return customers
    .filter(({ id }) => id === CUSTOMER[person])
    .flatMap(({ connections }) => connections)
    .filter(({ bankId }) => bankId === LIVE_BANKS[vendor].bank)
    .flatMap(({ accounts }) => accounts.map(({ mask }) => mask))
    .toSorted();
}

/** The stored data of a link: everything that a foreign permission would change. */
export async function stored(linkId: string) {
  const [link] = await truth.rows<{ state: string; reference: string | null; masks: string[] }>(
    `SELECT l.state, l.error_code, l.revision, c.reference, encode(c.sealed, 'hex') AS credential,
            array(SELECT a.mask FROM accounts a WHERE a.link_pk = l.pk AND a.permitted ORDER BY a.mask) AS masks
       FROM links l LEFT JOIN provider_credentials c ON c.link_pk = l.pk WHERE l.link_id = $1`,
    [linkId],
  );
  return link;
}

/**
 * Starts the redirect to the bank, where the person signs in and allows everything. Returns the
 * return address.
 */
export async function goAndSignIn(
  visit: ConnectVisit,
  vendor: Vendor,
  person: Person,
): Promise<string> {
  const { authorize_url: address } = await startRedirect(visit);
  return arriveAtApp(await decideAtLiveBank(vendor, address, 'allow', CUSTOMER[person]));
}

export async function finishAfterQuestions(visit: ConnectVisit): Promise<SessionResult> {
  const view = await answerQuestions(visit);
  if (view.step.kind !== 'success') throw new Error(`ended in ${JSON.stringify(view.step)}`);
  return visit.finish();
}

export const userOf = (person: Person, suffix: string) => ({ id: `${person}-${suffix}` });

/** A link of a person, created in the usual way. */
export async function linkOf(person: Person, vendor: Vendor, suffix: string): Promise<string> {
  const visit = await chooseLiveBank(app, vendor, { customer_user: userOf(person, suffix) });
  const address = await goAndSignIn(visit, vendor, person);
  await expectStatus(
    200,
    visit.call('POST', '/session/oauth/return', { request_id: randomUUID(), url: address }),
  ).then((view) => (visit.view = view));
  const { exchangeable_token: token } = await finishAfterQuestions(visit);
  return (await expectStatus(201, app.exchange(token))).link_id;
}

/**
 * A session of the attacker, opened in the attacker's browser, that waits at the redirect to the
 * bank.
 */
export async function attackersSession(
  vendor: Vendor,
  fields: Record<string, unknown>,
  browser = newBrowser(),
) {
  const session = await app.createSession({
    redirect_uri: REDIRECT_URI,
    ...('existing_link_id' in fields
      ? {}
      : {
          institution_id: LIVE_BANKS[vendor].id,
          settings: { countries: ['US', 'FI'] },
        }),
    ...fields,
  });
  const visit = opened(await browser.open(session.link_session_token));
  await visit.settle();
  return { token: session.link_session_token, visit, browser };
}

export async function hostedToken(
  person: Person,
  hosted: object | null = {},
): Promise<{ token: string; url: string | undefined }> {
  const { data } = await plaid.linkTokenCreate({
    client_name: 'Pocket Ledger',
    language: 'en',
    country_codes: [CountryCode.Us, CountryCode.Fi],
    user: { client_user_id: `${person}-hosted` },
    products: [Products.Transactions],
    redirect_uri: REDIRECT_URI,
    ...(hosted === null ? {} : { hosted_link: hosted }),
  });
  return { token: data.link_token, url: data.hosted_link_url };
}
