import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { ConnectVisit } from '../../../support/actors/link-journey.js';
import { decideAtLiveBank } from './live-journey.js';
import { callBack, type OAuthStart } from '../../../support/actors/oauth-journey.js';
import { opened, PersonalBrowser } from './personal-browser.js';
import { LIVE_BANKS } from '../../../support/services/live-simulators.js';
import {
  REDIRECTS,
  REDIRECT_URI,
  CUSTOMER,
  app,
  plaid,
  newBrowser,
  userOf,
  hostedToken,
  type Vendor,
  type Person,
} from './two-customers.js';
import { truth } from './live-service.js';

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
export const orders = fc
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
export class Play {
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
        return this.returnToApp(this.returns[action.address], action);
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
    await visit.choose(LIVE_BANKS[vendor].id);
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

  private async returnToApp(
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
