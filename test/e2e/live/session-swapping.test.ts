import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { CountryCode, Products, type PlaidApi } from 'plaid';
import { answerQuestions } from '../../support/actors/answer-questions.js';
import { AppBackEnd, ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import type { SessionResult } from '../../support/actors/response-bodies.js';
import { chooseLiveBank, decideAtLiveBank } from './support/live-journey.js';
import {
  arriveAtApp,
  callBack,
  startRedirect,
  type OAuthStart,
} from '../../support/actors/oauth-journey.js';
import { operate } from '../../support/actors/operator.js';
import { opened, PersonalBrowser, refusal } from './support/personal-browser.js';
import { plaidClient } from '../../support/actors/plaid-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import type { Standalone } from '../../support/services/standalone.js';
import { startOwnService } from '../../support/fixtures/shared-service.js';
import { SEED } from '../../support/runner/seed.js';
import {
  LIVE_BANKS,
  startLiveSimulators,
  type LiveSimulators,
} from '../../support/services/live-simulators.js';

/**
 * Two customers of the same banks. The attacker sends the victim addresses of the attacker's own
 * session. No account of one may ever be in a link of the other (connect 7, "Session swapping").
 */
const REDIRECTS = ['enable-banking', 'fdx'] as const;
type Vendor = (typeof REDIRECTS)[number];
const REDIRECT_URI = 'https://app.example/bank-return';
const CUSTOMER = { attacker: 'trial', victim: 'neighbor' } as const;
type Person = keyof typeof CUSTOMER;

let app: AppBackEnd;
let plaid: PlaidApi;
let truth: StoredTruth;
let live: LiveSimulators;
let service: Standalone;
let connectBaseUrl: string;
let appId: string;
beforeAll(async () => {
  service = await startOwnService({ FETCH_RETRY_FOR: '100ms' });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  plaid = plaidClient(service.info.base_url, {
    'PLAID-CLIENT-ID': service.app.sandbox.client_id,
    'PLAID-SECRET': service.app.sandbox.client_secret,
  });
  appId = service.app.app_id;
  connectBaseUrl = service.info.connect_base_url;
  truth = new StoredTruth(() => service.info.database_url);
  await operate(
    service.dataDir,
    ...['apps', 'update', service.app.app_id],
    ...['--feature', 'duplicate_institution_warning'],
  );
  live = await startLiveSimulators(service);
});
afterAll(async () => {
  await live?.close();
  await service?.dispose();
});

const newBrowser = () => new PersonalBrowser(app.baseUrl, connectBaseUrl);

/** The masks of a person's accounts at the bank of a vendor. */
async function masksOf(person: Person, vendor: Vendor): Promise<string[]> {
  const { customers } = await live.simulators[vendor].ledger();
  return customers
    .filter(({ id }) => id === CUSTOMER[person])
    .flatMap(({ connections }) => connections)
    .filter(({ bankId }) => bankId === LIVE_BANKS[vendor].bank)
    .flatMap(({ accounts }) => accounts.map(({ mask }) => mask))
    .toSorted();
}

/** The stored data of a link: everything that a foreign permission would change. */
async function stored(linkId: string) {
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
async function goAndSignIn(visit: ConnectVisit, vendor: Vendor, person: Person): Promise<string> {
  const { authorize_url: address } = await startRedirect(visit);
  return arriveAtApp(await decideAtLiveBank(vendor, address, 'allow', CUSTOMER[person]));
}

async function finishAfterQuestions(visit: ConnectVisit): Promise<SessionResult> {
  const view = await answerQuestions(visit);
  if (view.step.kind !== 'success') throw new Error(`ended in ${JSON.stringify(view.step)}`);
  return visit.finish();
}

const userOf = (person: Person, suffix: string) => ({ id: `${person}-${suffix}` });

/** A link of a person, created in the usual way. */
async function linkOf(person: Person, vendor: Vendor, suffix: string): Promise<string> {
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
async function attackersSession(
  vendor: Vendor,
  fields: Record<string, unknown>,
  browser = newBrowser(),
) {
  const session = await app.createSession({
    redirect_uri: REDIRECT_URI,
    ...('existing_link_id' in fields
      ? { customer_user: { id: 'of the link' } }
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

async function hostedToken(
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

describe.each(REDIRECTS)('A bank login at %s that another person completed', (vendor) => {
  let linkId: string;
  const suffix = `of ${vendor}`;
  beforeAll(async () => {
    linkId = await linkOf('attacker', vendor, suffix);
    await app.untilRefreshed(linkId, 'transactions');
  });

  it('does not change the link that its sender was repairing', async () => {
    const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
    const before = await stored(linkId);
    expect(before?.masks).toEqual(await masksOf('attacker', vendor));

    const address = await goAndSignIn(visit, vendor, 'victim');
    const landed = opened(await newBrowser().land(address));
    const result = await finishAfterQuestions(landed);

    expect(result).toMatchObject({ mode: 'relink', accounts: [] });
    expect(result).not.toHaveProperty('exchangeable_token');
    expect(await stored(linkId)).toEqual(before);
    // The app's back end names the user who is signed in where the flow ended.
    const { confirmation_token: token = '' } = result;
    const victim = { expected_customer_user_id: userOf('victim', suffix).id };
    expect(await app.exchange(token, victim)).toMatchObject({
      status: 403,
      body: { error_code: 'link_error.forbidden_action' },
    });
    expect(await app.exchange(token)).toMatchObject({
      status: 403,
      body: { error_code: 'link_error.forbidden_action' },
    });
    expect(await stored(linkId)).toEqual(before);
  });

  it('does not change that link when its accounts are listed only at the second attempt', async () => {
    const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
    const before = await stored(linkId);
    const address = await goAndSignIn(visit, vendor, 'victim');
    const path = vendor === 'fdx' ? '/first-fdx/*accounts' : '/accounts/*';
    await live.simulators[vendor].script('status_500', { path, method: 'GET' });
    const landed = opened(await newBrowser().land(address));
    expect((await landed.settle()).step.kind).toBe('error');
    // The sender's window can neither try again nor log in with the data that was received.
    const retry = { kind: 'error', action: 'retry' };
    expect(await visit.submit(retry, { seq: landed.view.seq })).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.session_moved' },
    });
    await landed.answer(retry);
    const { confirmation_token: token = '' } = await finishAfterQuestions(landed);
    expect(await app.exchange(token)).toMatchObject({ status: 403 });
    expect(await stored(linkId)).toEqual(before);
  });

  it('does not change the link that its sender was offered to extend', async () => {
    const browser = newBrowser();
    const { visit } = await attackersSession(
      vendor,
      {
        customer_user: userOf('attacker', suffix),
        connect_features: { duplicate_institution_warning: true },
      },
      browser,
    );
    await visit.answer({ kind: 'choice', option_ids: ['connect.extend_existing'] });
    const before = await stored(linkId);

    const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
    const result = await finishAfterQuestions(landed);

    expect(result).toMatchObject({ mode: 'relink', existing_link_id: linkId });
    expect(await stored(linkId)).toEqual(before);
    expect(await app.exchange(result.confirmation_token ?? '')).toMatchObject({ status: 403 });
    expect(await stored(linkId)).toEqual(before);
  });

  it('creates no link of its sender until the app names that user', async () => {
    const { visit, token: sessionToken } = await attackersSession(vendor, {
      customer_user: userOf('attacker', `new ${suffix}`),
    });
    const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
    const { exchangeable_token: token } = await finishAfterQuestions(landed);
    const made = (await truth.linkOfSession(landed.view.session_id))?.link_id ?? '';

    expect(await stored(made)).toMatchObject({ state: 'connecting', reference: null, masks: [] });
    expect(await app.exchange(token)).toMatchObject({ status: 403 });
    const victim = { expected_customer_user_id: userOf('victim', suffix).id };
    expect(await app.exchange(token, victim)).toMatchObject({ status: 403 });
    expect(await stored(made)).toMatchObject({ state: 'connecting', reference: null, masks: [] });
    // The sender's token and window have lost the session.
    expect(refusal(await newBrowser().open(sessionToken))).toEqual([
      401,
      'connect_error.invalid_session_token',
    ]);
    expect(await visit.finishCall()).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.session_moved' },
    });
  });

  it('is refused in a tab that keeps the token of another session', async () => {
    const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
    const { browser } = await attackersSession(vendor, {
      customer_user: userOf('victim', suffix),
    });
    const before = await stored(linkId);
    expect(refusal(await browser.land(await goAndSignIn(visit, vendor, 'victim')))).toEqual([
      422,
      'connect_error.oauth_state_invalid',
    ]);
    expect(await stored(linkId)).toEqual(before);
  });

  it('is refused in any browser other than the one that opened the hosted page', async () => {
    const { token } = await hostedToken('attacker');
    const visit = opened(await newBrowser().openHosted(token));
    await visit.select(LIVE_BANKS[vendor].id);
    const address = await goAndSignIn(visit, vendor, 'victim');
    expect(refusal(await newBrowser().land(address))).toEqual([
      422,
      'connect_error.oauth_state_invalid',
    ]);
    const { data } = await plaid.linkTokenGet({ link_token: token });
    expect(data.link_sessions?.map(({ results }) => results)).toEqual([null]);
  });

  it('is refused for a link_token of the Plaid-compatible layer that the window does not provide', async () => {
    const { token } = await hostedToken('attacker', null);
    const visit = opened(await newBrowser().open(token));
    await visit.select(LIVE_BANKS[vendor].id);
    const address = await goAndSignIn(visit, vendor, 'victim');
    expect(refusal(await newBrowser().land(address))).toEqual([
      422,
      'connect_error.oauth_state_invalid',
    ]);
  });
});

describe.each(REDIRECTS)('A user of %s who returns without the token of the session', (vendor) => {
  const suffix = `honest at ${vendor}`;
  const expected = { expected_customer_user_id: userOf('victim', suffix).id };
  let linkId: string;
  beforeAll(async () => {
    linkId = await linkOf('victim', vendor, suffix);
    await app.untilRefreshed(linkId, 'transactions');
  });

  it('creates a new link, which the app confirms with the user who is signed in', async () => {
    const user = userOf('victim', `new at ${vendor}`);
    const { visit } = await attackersSession(vendor, { customer_user: user });
    const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
    const { exchangeable_token: token } = await finishAfterQuestions(landed);
    const { link_id: made, link } = await expectStatus(
      201,
      app.exchange(token, { expected_customer_user_id: user.id }),
    );
    expect(link.state).toBe('connected');
    await app.untilRefreshed(made, 'transactions');
    expect((await stored(made))?.masks).toEqual(await masksOf('victim', vendor));
    expect(await truth.story(made)).toEqual(
      expect.arrayContaining([
        'state connecting',
        'state awaiting_token_exchange',
        'state connected',
      ]),
    );
  });

  it('repairs a link, which keeps its ids, once the app confirms it', async () => {
    const before = await stored(linkId);
    const { accounts } = await app.get<{ accounts: { account_id: string }[] }>(
      `/links/${linkId}/accounts`,
    );
    const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
    const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
    const { confirmation_token: token = '' } = await finishAfterQuestions(landed);
    expect(await stored(linkId)).toEqual(before);

    const confirmed = await expectStatus(201, app.exchange(token, expected));
    expect(confirmed).toMatchObject({ link_id: linkId, link: { state: 'connected' } });
    expect(await stored(linkId)).not.toEqual(before);
    const after = await app.get<{ accounts: { account_id: string }[] }>(
      `/links/${linkId}/accounts`,
    );
    expect(after.accounts.map(({ account_id: id }) => id)).toEqual(
      accounts.map(({ account_id: id }) => id),
    );
    expect(await app.exchange(token, expected)).toMatchObject({
      status: 400,
      body: { error_code: 'link_session_error.invalid_token_exchange' },
    });
  });

  it('changes nothing where the app starts another session instead, and the permission is revoked', async () => {
    const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
    const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
    const { confirmation_token: token = '' } = await finishAfterQuestions(landed);
    const before = await stored(linkId);
    await app.createSession({ existing_link_id: linkId, redirect_uri: REDIRECT_URI });
    expect(await app.exchange(token, expected)).toMatchObject({ status: 400 });
    expect(await stored(linkId)).toEqual(before);
    await eventually(async () => {
      const left = await truth.rows(
        'SELECT 1 FROM permission_revocations r JOIN links l ON l.pk = r.link_pk WHERE l.link_id = $1',
        [linkId],
      );
      expect(left).toEqual([]);
    });
  });

  it('continues as before with the token that the tab kept', async () => {
    const { visit, browser } = await attackersSession(vendor, { existing_link_id: linkId });
    const before = await stored(linkId);
    const landed = opened(await browser.land(await goAndSignIn(visit, vendor, 'victim')));
    const result = await finishAfterQuestions(landed);
    expect(result).not.toHaveProperty('confirmation_token');
    expect(await stored(linkId)).not.toEqual(before);
    expect((await stored(linkId))?.masks).toEqual(await masksOf('victim', vendor));
  });
});

/** `npm run test:all` sets SWAP_CASES for more orders. */
const CASES = Number(process.env['SWAP_CASES'] ?? 12);
const KINDS = ['link', 'relink', 'extension', 'hosted', 'compat'] as const;
const PLACES = ['attacker/laptop', 'attacker/phone', 'victim/laptop', 'victim/phone'] as const;
type Place = (typeof PLACES)[number];
const personAt = (place: Place) => place.split('/')[0] as Person;

type Action =
  | { do: 'start'; kind: (typeof KINDS)[number]; vendor: Vendor; at: Place }
  | { do: 'leave'; window: number }
  | { do: 'sign in'; address: number; by: Person }
  | { do: 'come back'; address: number; at: Place; brings: 'window' | 'kept token' | 'nothing' }
  | { do: 'finish'; window: number; names: boolean }
  | { do: 'open again'; session: number; at: Place }
  | { do: 'close'; window: number };

const place = fc.constantFrom(...PLACES);
const nth = fc.nat({ max: 3 });
const ACTIONS: fc.Arbitrary<Action>[] = [
  fc.record({
    do: fc.constant('start'),
    kind: fc.constantFrom(...KINDS),
    vendor: fc.constantFrom(...REDIRECTS),
    at: place,
  }),
  fc.record({ do: fc.constant('leave'), window: nth }),
  fc.record({
    do: fc.constant('sign in'),
    address: nth,
    by: fc.constantFrom('attacker' as const, 'victim' as const),
  }),
  fc.record({
    do: fc.constant('come back'),
    address: nth,
    at: place,
    brings: fc.constantFrom('window' as const, 'kept token' as const, 'nothing' as const),
  }),
  fc.record({ do: fc.constant('finish'), window: nth, names: fc.boolean() }),
  fc.record({ do: fc.constant('open again'), session: nth, at: place }),
  fc.record({ do: fc.constant('close'), window: nth }),
];

/**
 * The core of every attack, and of every honest login on two devices: one person starts, one signs
 * in, one returns. Any actions in any order come in between and afterwards.
 */
const orders = fc
  .record({
    before: fc.array(fc.oneof(...ACTIONS), { maxLength: 2 }),
    start: ACTIONS[0] as fc.Arbitrary<Action>,
    between: fc.array(fc.oneof(...ACTIONS), { maxLength: 2 }),
    by: fc.constantFrom('attacker' as const, 'victim' as const),
    back: ACTIONS[3] as fc.Arbitrary<Action>,
    after: fc.array(fc.oneof(...ACTIONS), { maxLength: 4 }),
    names: fc.boolean(),
  })
  .map(({ before, start, between, by, back, after, names }): Action[] => [
    ...before,
    start,
    { do: 'leave', window: 0 },
    ...between,
    { do: 'sign in', address: 0, by },
    { ...back, address: 0 } as Action,
    { do: 'finish', window: 0, names },
    ...after,
  ]);

interface Window {
  visit: ConnectVisit;
  at: Place;
  vendor: Vendor;
  session: Session;
}
interface Session {
  token: string;
  kind: (typeof KINDS)[number];
  owner: Person;
  vendor: Vendor;
  /** The browser in which a hosted address was first opened. */
  at: Place;
}

/** The attacker sends addresses to the victim; the victim sends none. */
const isKnownTo = (person: Person, source: Person): boolean =>
  person === source || source === 'attacker';

/**
 * Plays a sequence of actions as browsers, people and the app's back end would, including refusals.
 */
class Play {
  private readonly browsers = Object.fromEntries(PLACES.map((at) => [at, newBrowser()])) as Record<
    Place,
    PersonalBrowser
  >;
  // Newest first, so that number 0 is the most recent one.
  private readonly sessions: Session[] = [];
  private windows: Window[] = [];
  private readonly bankAddresses: { url: string; window: Window }[] = [];
  private readonly returns: { url: string; window: Window; by: Person }[] = [];
  /** Links that the back end received for the person who was signed in where the flow ended. */
  readonly received: { linkId: string; person: Person }[] = [];

  constructor(private readonly links: Record<Person, Record<Vendor, string>>) {}

  async act(action: Action): Promise<void> {
    switch (action.do) {
      case 'start':
        return this.start(action);
      case 'leave':
        return this.leave(this.windows[action.window]);
      case 'sign in':
        return this.signIn(this.bankAddresses[action.address], action.by);
      case 'come back':
        return this.comeBack(this.returns[action.address], action);
      case 'finish':
        return this.finish(this.windows[action.window], action.names);
      case 'open again':
        return this.openAgain(this.sessions[action.session], action.at);
      case 'close':
        this.windows = this.windows.filter((_, index) => index !== action.window);
    }
  }

  private async start({ kind, vendor, at }: Extract<Action, { do: 'start' }>): Promise<void> {
    const owner = personAt(at);
    const session: Session = {
      token: await this.create(kind, vendor, owner),
      kind,
      owner,
      vendor,
      at,
    };
    this.sessions.unshift(session);
    const visit = opened(await this.openIn(session, at));
    this.windows.unshift({ visit, at, vendor, session });
    if (visit.view.step.kind === 'select_institution') await visit.select(LIVE_BANKS[vendor].id);
    if (visit.view.step.kind === 'choice')
      await visit.answer({ kind: 'choice', option_ids: ['connect.extend_existing'] });
    await visit.settle();
  }

  private async create(kind: Session['kind'], vendor: Vendor, owner: Person): Promise<string> {
    if (kind === 'hosted' || kind === 'compat')
      return (await hostedToken(owner, kind === 'hosted' ? {} : null)).token;
    const { link_session_token: token } = await app.createSession({
      redirect_uri: REDIRECT_URI,
      customer_user: userOf(owner, kind === 'extension' ? `played ${vendor}` : randomUUID()),
      ...(kind === 'relink'
        ? { existing_link_id: this.links[owner][vendor] }
        : { institution_id: LIVE_BANKS[vendor].id, settings: { countries: ['US', 'FI'] } }),
      ...(kind === 'extension'
        ? { connect_features: { duplicate_institution_warning: true } }
        : {}),
    });
    return token;
  }

  private openIn(session: Session, at: Place) {
    const browser = this.browsers[at];
    return session.kind === 'hosted'
      ? browser.openHosted(session.token)
      : browser.open(session.token);
  }

  private async leave(window: Window | undefined): Promise<void> {
    if (window?.visit.view.step.kind !== 'redirect') return;
    const { status, body } = await window.visit.call<OAuthStart>('POST', '/session/oauth/start', {
      seq: window.visit.view.seq,
      request_id: randomUUID(),
      window: 'popup',
    });
    if (isRefused(status)) return;
    window.visit.view = body.view;
    this.bankAddresses.unshift({ url: body.authorize_url, window });
  }

  private async signIn(left: (typeof this.bankAddresses)[number] | undefined, by: Person) {
    if (left === undefined) return;
    const { url, window } = left;
    if (!isKnownTo(by, personAt(window.at))) return;
    const callback = await decideAtLiveBank(window.vendor, url, 'allow', CUSTOMER[by]).catch(
      // The bank shows an address once.
      () => null,
    );
    const response = callback === null ? null : await callBack(callback);
    const location = response?.headers.get('location') ?? null;
    if (response?.status === 303 && location !== null)
      this.returns.unshift({ url: location, window, by });
  }

  private async comeBack(
    back: (typeof this.returns)[number] | undefined,
    { at, brings }: Extract<Action, { do: 'come back' }>,
  ): Promise<void> {
    if (back === undefined) return;
    const { url, window, by } = back;
    // It is in the browser of the person who signed in.
    if (!isKnownTo(personAt(at), by)) return;
    const started = this.windows.find((open) => open === window && open.at === at);
    if (brings === 'window' && started !== undefined) {
      const { status, body } = await started.visit.call('POST', '/session/oauth/return', {
        request_id: randomUUID(),
        url,
      });
      if (!isRefused(status)) started.visit.view = body;
      return;
    }
    const landed = await this.browsers[at].land(url, brings === 'nothing' ? { brings: null } : {});
    if (!(landed instanceof ConnectVisit)) return void isRefused(landed.status);
    this.windows.unshift({ ...window, visit: landed, at });
  }

  private async finish(window: Window | undefined, names: boolean): Promise<void> {
    if (window === undefined || !(await this.answerAll(window.visit))) return;
    const { status, body: result } = await window.visit.finishCall();
    if (isRefused(status)) return;
    const person = personAt(window.at);
    const { exchangeable_token: exchangeable, confirmation_token: confirmation } = result;
    if (result.public_token !== undefined) return this.receivePublic(result.public_token, person);
    const token = confirmation ?? exchangeable;
    // A relink that took effect: the app has stored the link already.
    if (token === undefined) return;
    const exchanged = await app.exchange(
      token,
      names ? { expected_customer_user_id: await this.userOfOwn(window, person) } : {},
    );
    if (!isRefused(exchanged.status))
      this.received.push({ linkId: exchanged.body.link_id, person });
  }

  /**
   * The app's id of the person: the id of the session if it belongs to the person, otherwise any
   * other id of theirs.
   */
  private async userOfOwn({ session, visit }: Window, person: Person): Promise<string> {
    const [row] = await truth.rows<{ user_id: string }>(
      'SELECT u.user_id FROM link_sessions s JOIN customer_users u ON u.pk = s.customer_user_pk WHERE s.session_id = $1',
      [visit.view.session_id],
    );
    return session.owner === person && row !== undefined ? row.user_id : `${person}-anyone`;
  }

  /**
   * The Plaid-compatible exchange names no user: the app stores its result for the user who is
   * signed in.
   */
  private async receivePublic(publicToken: string, person: Person): Promise<void> {
    const { data } = await plaid.itemPublicTokenExchange({ public_token: publicToken });
    const [row] = await truth.rows<{ link_id: string }>(
      'SELECT l.link_id FROM links l JOIN item_access_tokens t ON t.link_pk = l.pk ORDER BY t.created_at DESC LIMIT 1',
    );
    expect(data.item_id).not.toBe('');
    this.received.push({ linkId: row?.link_id ?? '', person });
  }

  /** False = the window has lost its session, or the login failed. */
  private async answerAll(visit: ConnectVisit): Promise<boolean> {
    for (let answers = 0; answers < 6; answers += 1) {
      const polled = await visit.call('GET', `/session?after_seq=${visit.view.seq - 1}&wait=5`);
      if (isRefused(polled.status)) return false;
      visit.view = polled.body;
      const { kind, products = [], accounts = [] } = visit.view.step;
      if (kind === 'wait') continue;
      if (kind !== 'consent' && kind !== 'select_accounts') return kind === 'success';
      const answered = await visit.submit(
        kind === 'consent'
          ? { kind, granted: products.map(({ product }) => product) }
          : { kind, refs: accounts.map(({ ref }) => ref) },
      );
      if (isRefused(answered.status)) return false;
      visit.view = answered.body;
    }
    return false;
  }

  /** A token is opened again by its owner; a hosted address may have been passed on. */
  private async openAgain(session: Session | undefined, at: Place): Promise<void> {
    if (session === undefined) return;
    if (session.kind !== 'hosted' && personAt(at) !== session.owner) return;
    const outcome = await this.openIn(session, at);
    if (outcome instanceof ConnectVisit)
      this.windows.unshift({ visit: outcome, at, vendor: session.vendor, session });
    else isRefused(outcome.status);
  }
}

/** Returns true if a call was refused. @throws Error for a failure that is not a refusal */
function isRefused(status: number): boolean {
  if (status >= 500) throw new Error(`a call failed with ${status}`);
  return status >= 400;
}

describe('Any sequence of actions of two customers of one bank with sessions, addresses and windows', () => {
  let links: Record<Person, Record<Vendor, string>>;
  let masks: Record<Person, Record<string, string[]>>;

  beforeAll(async () => {
    const each = async <T>(work: (person: Person, vendor: Vendor) => Promise<T>) => {
      const made: Record<string, Record<string, T>> = { attacker: {}, victim: {} };
      for (const person of ['attacker', 'victim'] as const)
        for (const vendor of REDIRECTS) (made[person] ??= {})[vendor] = await work(person, vendor);
      return made as Record<Person, Record<Vendor, T>>;
    };
    links = await each((person, vendor) => linkOf(person, vendor, `played ${vendor}`));
    masks = await each(masksOf);
  });

  it(
    `puts no account of one into a link of the other, and gives neither a result of the other (${CASES} orders)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(orders, async (actions) => {
          const play = new Play(links);
          for (const action of actions) await play.act(action);
          await expectNothingSwapped(play);
        }),
        { numRuns: CASES, seed: SEED, endOnFailure: true },
      );
    },
    CASES * 30_000,
  );

  async function expectNothingSwapped({ received }: Play): Promise<void> {
    const owned = await truth.rows<{ link_id: string; user_id: string; mask: string }>(
      `SELECT l.link_id, u.user_id, a.mask FROM accounts a
         JOIN links l ON l.pk = a.link_pk JOIN customer_users u ON u.pk = l.customer_user_pk
        WHERE l.app_id = $1`,
      [appId],
    );
    const ownerOf = ({ user_id: user }: { user_id: string }) => user.split('-')[0] as Person;
    const allOf = (person: Person) => Object.values(masks[person]).flat();
    expect(owned.filter((row) => !allOf(ownerOf(row)).includes(row.mask))).toEqual([]);
    for (const { linkId, person } of received)
      expect(owned.filter((row) => row.link_id === linkId && ownerOf(row) !== person)).toEqual([]);
  }
});
