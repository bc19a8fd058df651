import fc from 'fast-check';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import { connectedLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import {
  created,
  exchange,
  expire,
  leave,
  outcomes,
  RETURN,
  session,
  signIn,
  type Created,
  type Page,
} from './support/hosted-calls.js';
import { HostedBrowser, pageOf, viewOf } from './support/hosted-browser.js';

/** connect 4, "Reopening": a hosted page that was loaded again knows the id of its session alone. */
apiOfFile();

const UNKNOWN = { status: 401, code: 'connect_error.invalid_session_token', locations: [] };
const NOT_ALLOWED = { status: 403, code: 'connect_error.origin_not_allowed', locations: [] };
const MOVED = { status: 409, code: 'connect_error.session_moved', locations: [] };
const CLOSED = { status: 410, code: 'connect_error.session_closed', locations: [] };

const hosted = (fields: object = {}) => created({ hosted: { return_url: RETURN }, ...fields });
const endOf = (from: Created, outcome: string) => ({
  view: null,
  end: {
    session_id: from.session_id,
    outcome,
    app: { name: 'pocket-ledger', logo_url: null },
    completion_redirect_uri: `${RETURN}?session_id=${from.session_id}&outcome=${outcome}`,
  },
});

/** A browser that has opened a session. */
async function opened(fields: object = {}) {
  const browser = new HostedBrowser();
  const from = await hosted(fields);
  return { browser, from, page: pageOf((await browser.open(from)).body) };
}

describe('A hosted page that is loaded again', () => {
  it('continues at the current step of its session, and the page before it has moved', async () => {
    const { browser, from, page } = await opened();
    await service.steps.show(from.session_id, page.seq + 1, {
      kind: 'wait',
      stage: 'connecting',
      can_cancel: true,
    });
    const again = await browser.reopen(from);
    expect(again).toMatchObject({
      status: 200,
      body: {
        view: {
          session_id: from.session_id,
          seq: page.seq + 1,
          step: { kind: 'wait' },
          connect_token: expect.stringMatching(/^[\w-]{43}$/),
        },
        end: null,
      },
    });
    expect(again.headers.get('cache-control')).toBe('no-store');
    expect(errorOf(await page.post('/extend'))).toEqual(MOVED);
    expect((await pageOf(viewOf(again)).post('/extend')).status).toBe(200);
  });

  it('reopens each of two sessions of one browser by its own id', async () => {
    const browser = new HostedBrowser();
    const [one, two] = [await hosted(), await hosted()];
    await browser.open(one);
    const { cookie } = browser;
    await browser.open(two);
    expect(browser.cookie).toBe(cookie);
    for (const from of [one, two, one])
      expect(await browser.reopen(from)).toMatchObject({
        status: 200,
        body: { view: { session_id: from.session_id } },
      });
    await signIn(pageOf(viewOf(await browser.reopen(two))));
    expect((await session(one.session_id)).outcome).toBeNull();
    expect((await session(two.session_id)).outcome).toBe('linked');
  });

  it('gets the result that no page has shown yet, and then only that it was linked', async () => {
    const { browser, from, page } = await opened();
    await signIn(page);
    const again = await browser.reopen(from);
    expect(again).toMatchObject({ status: 200, body: { view: { step: { kind: 'success' } } } });
    expect((await pageOf(viewOf(again)).post('/finish')).status).toBe(200);
    expect((await browser.reopen(from)).body).toEqual(endOf(from, 'linked'));
    await exchange((await session(from.session_id)).exchangeable_token);
    const ended = await browser.reopen(from);
    expect(ended.body).toEqual(endOf(from, 'linked'));
    expect(ended.text).not.toMatch(/_(xt|ls)_|institution|account/);
  });

  it.each<[string, (from: Created, page: Page) => Promise<unknown>, string]>([
    ['left', (_, page) => leave(page), 'exited'],
    [
      'left, and its time is over',
      async (from, page) => {
        await leave(page);
        await expire(from);
      },
      'exited',
    ],
    ['let expire', (from) => expire(from), 'expired'],
    [
      'let expire, and no process has noticed yet',
      ({ session_id: sessionId }) =>
        service.database.prisma.linkSession.update({
          where: { sessionId },
          data: { expiresAt: new Date() },
        }),
      'expired',
    ],
  ])(
    'shows the outcome of a session that its user %s, and changes nothing',
    async (_, act, outcome) => {
      const { browser, from, page } = await opened();
      await act(from, page);
      const announced = await outcomes(from);
      expect(await browser.reopen(from)).toMatchObject({ status: 200, body: endOf(from, outcome) });
      expect((await session(from.session_id)).outcome).toBe(outcome);
      expect(await outcomes(from)).toEqual(announced);
    },
  );

  it('continues a session that its user left and opened again from its address', async () => {
    const { browser, from, page } = await opened();
    await leave(page);
    await browser.open(from);
    expect(await browser.reopen(from)).toMatchObject({
      status: 200,
      body: { view: { step: { kind: 'select_institution' } }, end: null },
    });
  });

  it('shows the outcome of a repair, and that a newer session or a deletion ended one', async () => {
    const linkId = await connectedLink(service, token);
    const repair = { existing_link_id: linkId, webhook: undefined };
    const done = await opened(repair);
    await signIn(done.page);
    await done.page.post('/finish');
    expect((await done.browser.reopen(done.from)).body).toEqual(endOf(done.from, 'relinked'));

    const older = await opened(repair);
    const newer = await opened(repair);
    expect(errorOf(await older.browser.reopen(older.from))).toEqual(MOVED);
    await service.api.as(token).delete(`/links/${linkId}`);
    expect(errorOf(await newer.browser.reopen(newer.from))).toEqual(CLOSED);
  });

  it('may be loaded as often as a session may be opened', async () => {
    const { browser, from } = await opened();
    await service.database.prisma.connectToken.createMany({
      data: Array.from({ length: 199 }, (_, index) => ({
        tokenHash: Buffer.from(`${from.session_id}/${index}`),
        sessionId: from.session_id,
      })),
    });
    expect(errorOf(await browser.reopen(from))).toMatchObject({
      status: 429,
      code: 'connect_error.rate_limited',
    });
  });
});

describe('The id of a hosted session opens nothing', () => {
  const stranger = new HostedBrowser();
  beforeAll(async () => {
    await stranger.open(await hosted());
  });

  it.each<[string, (own: HostedBrowser, from: Created) => Promise<ApiResponse>]>([
    ['without a cookie', (_, from) => new HostedBrowser().reopen(from)],
    ['in another browser', (_, from) => stranger.reopen(from)],
    [
      'with two cookies, of which one is right',
      (own, from) => {
        const tossed = new HostedBrowser();
        tossed.cookie = `${stranger.cookie}; ${own.cookie}`;
        return tossed.reopen(from);
      },
    ],
    [
      'with the hash that is stored instead of the cookie',
      async (_, { session_id: sessionId }) => {
        const row = await service.database.prisma.linkSession.findUniqueOrThrow({
          where: { sessionId },
        });
        const thief = new HostedBrowser();
        thief.cookie = `connect-browser=${Buffer.from(row.browserHash ?? []).toString('base64url')}`;
        return thief.reopen({ session_id: sessionId });
      },
    ],
    [
      'under the id of the call that opened it',
      async (_, { session_id: sessionId }) => {
        const row = await service.database.prisma.linkSession.findUniqueOrThrow({
          where: { sessionId },
        });
        return new HostedBrowser().reopen(
          { session_id: sessionId },
          { fields: { request_id: row.browserRequestId } },
        );
      },
    ],
    ['as its token', (own, { session_id: id }) => own.open({ link_session_token: id } as Created)],
    ['before it was opened', async (own) => own.reopen(await hosted())],
    ['when it is unknown', (own) => own.reopen({ session_id: 'ses_2222222222222222222222' })],
    ['when it is no id at all', (own) => own.reopen({ session_id: '../../open?' })],
    [
      'when it is that of a session in an SDK',
      async (own) => {
        const from = await created({ hosted: undefined });
        await own.open(from, { fields: { origin: 'https://app.example', sdk: undefined } });
        return own.reopen(from);
      },
    ],
  ])('%s, whether the session lives or has ended', async (_, attempt) => {
    const { browser, from, page } = await opened();
    expect(errorOf(await attempt(browser, from))).toEqual(UNKNOWN);
    expect((await page.post('/extend')).status).toBe(200);
    await leave(page);
    await expire(from);
    expect(errorOf(await attempt(browser, from))).toEqual(UNKNOWN);
  });

  it.each([
    ['an app’s page', { origin: 'https://app.example' }],
    ['a WebView', { origin: null, platform: 'ios' }],
    ['a caller without an origin', { origin: null }],
  ])('from %s that has the cookie', async (_, fields) => {
    const { browser, from } = await opened();
    expect(errorOf(await browser.reopen(from, { fields }))).toEqual(NOT_ALLOWED);
  });

  it('from a form on another site, which cannot send JSON', async () => {
    const { browser, from, page } = await opened();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await browser.reopen(from, { headers: { 'content-type': type } })).status).toBe(415);
    expect((await page.post('/extend')).status).toBe(200);
  });
});

it('Reopening leaves neither the cookie nor the connect_token in the log', async () => {
  const { browser, from } = await opened();
  const again = await browser.reopen(from);
  const { connect_token: connectToken } = viewOf(again) as { connect_token: string };
  const secrets = [connectToken, from.link_session_token, browser.cookie?.split('=')[1] ?? '-'];
  expect(secrets.filter((secret) => service.log().includes(secret))).toEqual([]);
});

/** What a user, a second browser and time do to two sessions, in any order. */
const ACTS = ['open', 'reopen', 'signIn', 'finish', 'leave', 'expire', 'exchange'] as const;
interface Act {
  act: (typeof ACTS)[number];
  session: number;
  browser: number;
}

/** The state of a session as far as reopening depends on it. */
interface Known {
  from: Created;
  owner: number | null;
  page: Page | null;
  state: 'unopened' | 'open' | 'succeeded' | 'shown' | 'left' | 'expired' | 'exchanged';
  hasSucceeded: boolean;
  hasLeft: boolean;
}

/** The response to reopening that follows from the state alone. */
function expected({ owner, state, hasSucceeded, hasLeft, from }: Known, browser: number): object {
  if (owner !== browser) return { status: 401 };
  if (state === 'open' || state === 'succeeded')
    return { status: 200, body: { view: { session_id: from.session_id }, end: null } };
  const outcome = hasSucceeded ? 'linked' : hasLeft ? 'exited' : 'expired';
  return { status: 200, body: endOf(from, outcome) };
}

async function play({ act, browser }: Act, known: Known, browsers: HostedBrowser[]) {
  const { from, page, state } = known;
  const own = browsers[browser] as HostedBrowser;
  switch (act) {
    case 'open': {
      const response = await own.open(from);
      if (response.status !== 200) return;
      known.owner = browser;
      known.page = pageOf(response.body);
      known.hasLeft = false;
      if (state !== 'succeeded') known.state = 'open';
      return;
    }
    case 'reopen': {
      const wanted = expected(known, browser);
      const response = await own.reopen(from);
      expect(response).toMatchObject(wanted);
      if (response.status === 200 && viewOf(response) !== null)
        known.page = pageOf(viewOf(response));
      return;
    }
    case 'signIn':
      if (page === null || (await signIn(page)).status !== 200) return;
      known.state = 'succeeded';
      known.hasSucceeded = true;
      return;
    case 'finish':
      if (page === null || (await page.post('/finish')).status !== 200) return;
      if (state === 'succeeded') known.state = 'shown';
      return;
    case 'leave':
      if (page === null || (await leave(page)).status !== 200 || state !== 'open') return;
      known.state = 'left';
      known.hasLeft = true;
      return;
    case 'expire':
      await expire(from);
      if (state !== 'exchanged') known.state = 'expired';
      return;
    case 'exchange': {
      const { exchangeable_token: exchangeable } = await session(from.session_id);
      if (exchangeable === null || (await exchange(exchangeable)).status !== 201) return;
      known.state = 'exchanged';
    }
  }
}

it('Any order of openings, reloads, answers and ends in two browsers reopens a session in its own browser alone, at its step or with its outcome', async () => {
  const acts = fc.array(
    fc.record({
      act: fc.constantFrom(...ACTS),
      session: fc.integer({ min: 0, max: 1 }),
      browser: fc.integer({ min: 0, max: 1 }),
    }),
    { minLength: 4, maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (series) => {
      const browsers = [new HostedBrowser(), new HostedBrowser()];
      const sessions: Known[] = [];
      for (let index = 0; index < 2; index += 1)
        sessions.push({
          from: await hosted(),
          owner: null,
          page: null,
          state: 'unopened',
          hasSucceeded: false,
          hasLeft: false,
        });
      for (const act of series) await play(act, sessions[act.session] as Known, browsers);
      for (const known of sessions)
        for (const [browser, own] of browsers.entries())
          expect(await own.reopen(known.from)).toMatchObject(expected(known, browser));
    }),
    { numRuns: 25 },
  );
});
