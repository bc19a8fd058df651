import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/assertions/eventually.js';
import { startExample, type RunningExample } from '../support/services/start-example.js';
import { describeWithBrowser, enterBrowser, leaveBrowser } from '../support/services/browser.js';
import { ReusedPages } from '../browser/support/reused-pages.js';
import { withoutBlur } from '../browser/support/without-blur.js';
import { representatives } from '../support/runner/representatives.js';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOSTED_APP } from './support/two-origins.js';

interface StandInService {
  baseUrl: string;
  /** Bodies of `POST /link-session`, in order. */
  sessions: Record<string, unknown>[];
  /** Bodies of `POST /link-session/exchange-token`, in order. */
  exchanges: Record<string, unknown>[];
  stop(): Promise<void>;
}

const LINK_ID = 'mk_rEhksmcWQTnydVaHJ7FT6N';

/** The part of the service that an app's back end needs, with one link. */
async function startStandInService(): Promise<StandInService> {
  const sessions: Record<string, unknown>[] = [];
  const exchanges: Record<string, unknown>[] = [];
  let state = 'connected';
  // Behaves like a service that ignores `expected_customer_user_id`: the token is exchanged anyway.
  const exchangeFor = (customerUser: unknown) =>
    [201, { link_id: LINK_ID, customer_user: customerUser }] as [number, unknown];
  const link = () => ({
    link_id: LINK_ID,
    institution_name: 'Instant Bank',
    state,
    error_code: state === 'error' ? 'auth_expired' : null,
    products: {
      accounts: { refreshed_at: '2026-03-02T10:00:00.000', error_code: null, unavailable: null },
    },
  });
  const responses: Record<
    string,
    (body: Record<string, unknown>) => [status: number, body: unknown]
  > = {
    'GET /auth/introspect': () => [200, { app: { app_id: 'pocket-ledger' }, environment: 'live' }],
    'GET /institutions': () => [
      200,
      { institutions: [{ country: 'US' }], cursors: { next: null } },
    ],
    'POST /link-session': (body) => {
      sessions.push(body);
      if (body['existing_link_id'] === LINK_ID) state = 'connected';
      return [201, { link_session_token: `sandbox_ls_${sessions.length}` }];
    },
    'POST /link-session/exchange-token': (body) => {
      exchanges.push(body);
      if (body['exchangeable_token'] === 'sandbox_xt_1')
        return exchangeFor(sessions.at(-1)?.['customer_user']);
      if (body['exchangeable_token'] === 'sandbox_xt_of_stranger')
        return exchangeFor({ id: 'stranger' });
      return body['exchangeable_token'] === 'sandbox_xt_refused' ? [403, {}] : [400, {}];
    },
    'POST /users/:id/simplefin-tokens': () => [
      200,
      { token_id: 'sft_1', setup_token: 'c2V0dXAgdG9rZW4=' },
    ],
    [`GET /links/${LINK_ID}`]: () => [200, link()],
    [`POST /links/${LINK_ID}/reset`]: () => {
      state = 'error';
      return [200, link()];
    },
    [`DELETE /links/${LINK_ID}`]: () => [204, undefined],
    [`GET /links/${LINK_ID}/accounts`]: () => [
      200,
      {
        accounts: [
          {
            account_id: 'acc_1',
            name: 'Everyday Checking',
            account_type: 'depository.checking',
            account_mask: '1101',
            balances: { currency: 'USD', current: 1250.4 },
          },
          {
            account_id: 'acc_2',
            name: 'Rewards Card',
            account_type: 'liability.credit_card',
            account_mask: '3303',
            balances: { currency: 'USD', current: 412.37 },
          },
        ],
      },
    ],
    [`GET /links/${LINK_ID}/transactions`]: () => [
      200,
      {
        transactions: [
          {
            transaction_id: 'txn_1',
            description: 'Corner shop',
            type: 'debit',
            amount: 12.5,
            currency: 'USD',
            date: '2026-03-01T00:00:00.000',
          },
        ],
      },
    ],
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'http://service.test');
      if (pathname.startsWith('/connect/'))
        return response.writeHead(200, { 'content-type': 'text/html' }).end(HOSTED_APP);
      const send = ([status, answer]: [number, unknown]) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(answer === undefined ? '' : JSON.stringify(answer));
      if (pathname === '/auth/token')
        return send(
          new URLSearchParams(body).get('client_secret') === 'secret'
            ? [201, { access_token: 'access', token_type: 'bearer', expires_in: 3600 }]
            : [401, {}],
        );
      if (request.headers.authorization !== 'Bearer access') return send([401, {}]);
      const route = pathname.replace(/^\/users\/[^/]+/, '/users/:id');
      const answer = responses[`${request.method} ${route}`];
      return send(
        answer === undefined
          ? [404, { error_message: 'no such call' }]
          : answer(body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, () => resolve());
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    exchanges,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describeWithBrowser('The example app', () => {
  let service: StandInService;
  let app: RunningExample;
  let browser: Browser;

  beforeAll(async () => {
    service = await startStandInService();
    app = await startExample('examples/connect-web/server.mjs', /connect-js: +(\S+)\n/, {
      TRIBUTARY_URL: service.baseUrl,
      CLIENT_ID: 'client',
      CLIENT_SECRET: 'secret',
    });
    browser = await enterBrowser();
  });
  /** A window for each test, whose user is new: without cookies. */
  const windows = new ReusedPages(async () =>
    (await withoutBlur(await browser.newContext({ reducedMotion: 'reduce' }))).newPage(),
  );
  afterEach(() => windows.releaseAll());
  afterAll(async () => {
    await leaveBrowser(browser);
    await app.stop();
    await service.stop();
  });

  const finishConnect = async (
    page: Page,
    outcome: Record<string, unknown>,
    path = 'start',
  ): Promise<void> => {
    const frame = await eventually(async () => {
      const found = page.frames().find((each) => each.url().includes(`/connect/${path}#`));
      if (found === undefined || (await found.textContent('#heard')) === '')
        throw new Error('Connect is not open');
      return found;
    });
    await frame.evaluate(`window.outcome = ${JSON.stringify(outcome)}`);
    // The page removes the frame on the click, sometimes before the browser has reported it.
    await frame.evaluate('done.click()').catch((error: unknown) => {
      expect(String(error)).toContain('detached');
    });
  };

  /** Both pages have the same functions; the one with React renders them by components. */
  const pages = representatives(
    [
      ['connect-js', '/', '/bank-return'],
      ['connect-react', '/react', '/react/bank-return'],
    ] as const,
    ([sdk]) => sdk === 'connect-react',
  );
  it.each(pages)('links, breaks and repairs with %s', async (_, path, returnPath) => {
    const page = await windows.take();
    const failures: Error[] = [];
    page.on('pageerror', (error) => failures.push(error));
    await page.goto(app.url + path);
    await page.click('button.primary');
    await finishConnect(page, {});
    await page.waitForSelector('[role=status]:has-text("Instant Bank is linked.")');
    await page.waitForSelector(
      'article:has-text("Everyday Checking •••• 1101"):has-text("$1,250.40"):has-text("$412.37 owed"):has-text("-$12.50")',
    );
    expect(service.sessions.at(-1)).toMatchObject({ redirect_uri: app.url + returnPath });

    await page.click('button:has-text("Break")');
    await page.waitForSelector('.state.error:has-text("Sign in again")');
    await page.click('button:has-text("Repair")');
    await finishConnect(page, { mode: 'relink', exchangeable_token: undefined });
    await page.waitForSelector('[role=status]:has-text("Instant Bank is repaired.")');
    await page.waitForSelector('.state.connected');
    expect(service.sessions).toContainEqual(
      expect.objectContaining({ existing_link_id: 'mk_rEhksmcWQTnydVaHJ7FT6N' }),
    );

    await page.click('button:has-text("Disconnect")');
    await page.waitForSelector('article', { state: 'detached' });
    expect(failures).toEqual([]);
  });

  it.each(pages)('shows a setup token for a finance app with %s', async (_sdk, path) => {
    const page = await windows.take();
    await page.goto(app.url + path);
    await page.click('button:has-text("Use with a finance app")');
    const shown = page.locator('textarea[aria-label="Setup token"]');
    await shown.waitFor();
    expect(await shown.inputValue()).toBe('c2V0dXAgdG9rZW4=');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('button:has-text("Copy")');
    await page.waitForSelector('[role=status]:has-text("Copied.")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('c2V0dXAgdG9rZW4=');
  });

  it.each(pages)('says with %s that the service does not respond', async (_sdk, path) => {
    const away = await startExample('examples/connect-web/server.mjs', /connect-js: +(\S+)\n/, {
      TRIBUTARY_URL: 'http://127.0.0.1:9',
      CLIENT_ID: 'client',
      CLIENT_SECRET: 'secret',
    });
    const page = await windows.take();
    await page.goto(away.url + path);
    await page.waitForSelector(
      '[role=status]:has-text("Tributary does not respond at http://127.0.0.1:9.")',
    );
    await away.stop();
  });

  it.each(pages)('continues with %s', async (_sdk, _path, path) => {
    const page = await windows.take();
    await page.goto(`${app.url}${path}?oauth_state_id=3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b`);
    await eventually(() => {
      expect(page.frames().some((frame) => frame.url().includes('/connect/continue#'))).toBe(true);
    });
  });

  const LINKED_BY_ANOTHER =
    '[role=status]:has-text("started by someone else. Nothing was added to your accounts or repaired.")';
  it.each(
    representatives(
      [
        ['connect-js', '/bank-return', 'sandbox_xt_of_stranger'],
        ['connect-js', '/bank-return', 'sandbox_xt_refused'],
        ['connect-react', '/react/bank-return', 'sandbox_xt_of_stranger'],
      ] as const,
      ([, , token]) => token === 'sandbox_xt_refused',
    ),
  )(
    'rejects a link of a stranger who lured a user to the return page, with %s (%s, %s)',
    async (_, path, token) => {
      const page = await windows.take();
      await page.goto(`${app.url}${path}?oauth_state_id=3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b`);
      await finishConnect(page, { exchangeable_token: token }, 'continue');
      await page.waitForSelector(LINKED_BY_ANOTHER);
      expect(await page.evaluate('fetch("/api/links").then((answer) => answer.json())')).toEqual(
        [],
      );
      expect(service.exchanges.at(-1)).toMatchObject({
        expected_customer_user_id: expect.stringMatching(/./),
      });
    },
  );

  describe.each(pages)('With a repair that another tab continued, %s', (_, path, returnPath) => {
    const repairInAnotherTab = async (confirmation: string): Promise<Page> => {
      const page = await windows.take();
      const context = page.context();
      await page.goto(app.url + path);
      await page.click('button.primary');
      await finishConnect(page, {});
      await page.click('button:has-text("Break")');
      await page.click('button:has-text("Repair")');
      const other = await context.newPage();
      await page.close();
      await other.goto(
        `${app.url}${returnPath}?oauth_state_id=3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b`,
      );
      const outcome = {
        mode: 'relink',
        exchangeable_token: undefined,
        confirmation_token: confirmation,
      };
      await finishConnect(other, outcome, 'continue');
      return other;
    };

    it('confirms it for the user who is signed in', async () => {
      const page = await repairInAnotherTab('sandbox_xt_1');
      await page.waitForSelector('[role=status]:has-text("Instant Bank is repaired.")');
      // Every context is a separate user: the exchanges of the link and of its repair.
      const [linked, repaired] = service.exchanges.slice(-2);
      expect(repaired).toEqual({
        exchangeable_token: 'sandbox_xt_1',
        expected_customer_user_id: linked?.['expected_customer_user_id'],
      });
    });

    it('explains that someone else started it when the service refuses the confirmation', async () => {
      const page = await repairInAnotherTab('sandbox_xt_refused');
      await page.waitForSelector(LINKED_BY_ANOTHER);
    });
  });

  it.each([{}, { existing_link_id: 'mk_rEhksmcWQTnydVaHJ7FT6N' }])(
    'accepts no repair that its user did not request (%o)',
    async (outcome) => {
      const page = await windows.take();
      await page.goto(`${app.url}/bank-return?oauth_state_id=3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b`);
      await finishConnect(
        page,
        { mode: 'relink', exchangeable_token: undefined, ...outcome },
        'continue',
      );
      await page.waitForSelector(LINKED_BY_ANOTHER);
    },
  );

  it('refuses links of other users and forms of other pages', async () => {
    const cookie = (await fetch(app.url)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const post = (
      path: string,
      body: unknown,
      headers: Record<string, string> = { 'content-type': 'application/json', cookie },
    ) => fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post('/api/links/mk_other/reset', {})).status).toBe(404);
    expect((await post('/api/session', { page: 'plain', linkId: 'mk_other' })).status).toBe(403);
    expect((await post('/api/session', {}, { cookie })).status).toBe(415);
    expect((await post('/api/session', {}, { 'content-type': 'application/json' })).status).toBe(
      401,
    );
    expect((await fetch(`${app.url}/..%2fbank-links.mjs`)).status).toBe(404);
  });

  describe('for a phone', () => {
    const ask = (path: string, body: object, session?: string) =>
      fetch(app.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
        },
        body: JSON.stringify(body),
      });
    const signIn = async () =>
      ((await (await ask('/api/sign-in', {})).json()) as { session: string }).session;

    it.each(['exp://192.168.1.20:8081/--/bank-return', 'pocketledger://bank-return'])(
      'creates a session that returns to %s',
      async (redirectUri) => {
        const answer = await ask('/api/session', { redirectUri }, await signIn());
        expect(await answer.json()).toEqual({
          linkSessionToken: expect.stringMatching(/^sandbox_ls_/),
        });
        expect(service.sessions.at(-1)).toMatchObject({ redirect_uri: redirectUri });
      },
    );

    it.each([
      'https://attacker.example/',
      'http://localhost/',
      'javascript:alert(1)',
      'exploit://app/',
      'EXP://192.168.1.20/',
      ' exp://192.168.1.20/',
      'exp:192.168.1.20',
      '',
      null,
      ['exp://192.168.1.20/'],
    ])('creates no session that returns to %j', async (redirectUri) => {
      const before = service.sessions.length;
      const answer = await ask('/api/session', { redirectUri }, await signIn());
      expect({ status: answer.status, body: await answer.json() }).toEqual({
        status: 400,
        body: { error: expect.stringContaining('redirectUri must be an address of the phone app') },
      });
      expect(service.sessions).toHaveLength(before);
    });

    it('creates a separate user for every sign-in and refuses users that it did not create', async () => {
      const link = { exchangeableToken: 'sandbox_xt_1' };
      const owner = await signIn();
      await ask('/api/session', { redirectUri: 'pocketledger://bank-return' }, owner);
      expect((await ask('/api/links', link, await signIn())).status).toBe(403);
      expect((await ask('/api/links', link, owner)).status).toBe(200);
      expect((await ask('/api/links', link, 'guessed')).status).toBe(401);
    });
  });
});
