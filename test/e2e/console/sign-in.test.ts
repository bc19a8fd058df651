import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { eventually } from '../../support/assertions/eventually.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';
import {
  CODE_TTL_MS,
  ConsoleCodeRepository,
} from '../../../prisma/operations/console/console-code.repository.js';
import {
  ConsoleSessionRepository,
  SESSION_TTL_MS,
} from '../../../prisma/operations/console/console-session.repository.js';
import {
  ConsoleBrowser,
  OPERATOR,
  startConsoleInProcess,
  type ConsoleInProcess,
} from './support/console-in-process.js';

let console: ConsoleInProcess;
beforeAll(async () => {
  console = await startConsoleInProcess();
});
afterAll(() => console?.close());

const codes = () => new ConsoleCodeRepository(console.service.context);
const makeCode = () => codes().create(OPERATOR);
/** The same console after some time. */
const later = (ms: number) => ({
  ...console.service.context,
  clock: () => new Date(Date.now() + ms),
});

describe('A one-time link to the console', () => {
  it('signs one browser in, as the person whom its maker named', async () => {
    const code = await makeCode();
    const browser = new ConsoleBrowser(console.url);
    expect(await browser.call('POST', '/session/code/holder', { code })).toMatchObject({
      status: 200,
      body: { role: 'operator', app_id: null, is_read_only: false, label: 'ada' },
    });
    expect((await browser.signIn(code)).status).toBe(201);
    expect(await browser.get('/session')).toMatchObject({
      status: 200,
      body: {
        actor: 'link:ada',
        role: 'operator',
        is_read_only: false,
        apps: [{ app_id: 'pocket-ledger' }, { app_id: 'rival' }],
      },
    });
  });

  it('signs in once, even when two browsers use it at the same time', async () => {
    const code = await makeCode();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => new ConsoleBrowser(console.url).signIn(code)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
    expect((await new ConsoleBrowser(console.url).signIn(code)).body).toMatchObject({
      error_code: 'console.code_unusable',
    });
  });

  it('ends after ten minutes', async () => {
    const code = await makeCode();
    expect(await new ConsoleCodeRepository(later(CODE_TTL_MS)).use(code)).toBeNull();
    expect(await new ConsoleCodeRepository(later(CODE_TTL_MS - 5_000)).use(code)).toMatchObject(
      OPERATOR,
    );
  });

  it('is stored in no form that signs in, and stands in no log and no record', async () => {
    const code = await makeCode();
    const browser = new ConsoleBrowser(console.url);
    await browser.signIn(code);
    const { rows } = await console.service.database.pool.query<{ all: string }>(
      `SELECT string_agg(t, ' ') AS all FROM (
         SELECT c::text AS t FROM console_codes c UNION ALL SELECT s::text FROM console_sessions s
         UNION ALL SELECT a::text FROM operator_actions a) rows`,
    );
    const everything = `${rows[0]?.all} ${console.log()}`;
    for (const secret of [code, browser.half ?? '', ...browser.cookies.values()]) {
      expect(secret).not.toBe('');
      expect(everything).not.toContain(secret);
    }
  });

  it.each([{}, { code: '' }, { code: 5 }, { code: 'x', more: 1 }, [], 'text'])(
    'is refused with its reason when the call is %j',
    async (body) => {
      const { status } = await new ConsoleBrowser(console.url).call('POST', '/session/code', body);
      expect([400, 422]).toContain(status);
    },
  );
});

describe('A session of the console', () => {
  it('needs both the cookie and the half that the page keeps', async () => {
    const whole = await ConsoleBrowser.signedIn(console);
    const [[name, cookie] = ['', '']] = whole.cookies;
    const of = async (cookies: [string, string][], half: string | null) => {
      const browser = new ConsoleBrowser(console.url);
      browser.cookies = new Map(cookies);
      browser.half = half;
      return (await browser.get('/session')).status;
    };
    const other = await ConsoleBrowser.signedIn(console);
    expect(await of([[name, cookie]], whole.half)).toBe(200);
    expect(await of([[name, cookie]], null)).toBe(401);
    expect(await of([], whole.half)).toBe(401);
    expect(await of([[name, cookie]], other.half)).toBe(401);
    expect(await of([[name, `${cookie}x`]], whole.half)).toBe(401);
  });

  it('has a cookie that scripts and other sites do not get, with the port in its name', async () => {
    const browser = new ConsoleBrowser(console.url);
    const { headers } = await browser.signIn(await makeCode());
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^console_${new URL(console.url).port}=`));
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(cookie).toMatch(/; Path=\//);
  });

  it('ends twelve hours after the sign-in, however it is used', async () => {
    const { cookies, half } = await ConsoleBrowser.signedIn(console);
    const [cookie = ''] = cookies.values();
    const halves = { cookie, header: half ?? '' };
    const at = (ms: number) => new ConsoleSessionRepository(later(ms)).find(halves);
    expect(await at(SESSION_TTL_MS - 5_000)).not.toBeNull();
    expect(await at(SESSION_TTL_MS)).toBeNull();
  });

  it('is replaced by the next sign-in of the same browser', async () => {
    const browser = await ConsoleBrowser.signedIn(console);
    const before = new ConsoleBrowser(console.url);
    before.cookies = new Map(browser.cookies);
    before.half = browser.half;
    await browser.signIn(await makeCode());
    expect((await browser.get('/session')).status).toBe(200);
    expect((await before.get('/session')).status).toBe(401);
  });

  it('ends at once when its person signs out, or an operator ends it', async () => {
    const browser = await ConsoleBrowser.signedIn(console, { label: 'grace' });
    expect((await browser.call('DELETE', '/session')).status).toBe(204);
    expect((await browser.get('/session')).status).toBe(401);
    const other = await ConsoleBrowser.signedIn(console, { label: 'grace' });
    const sessions = new ConsoleSessionRepository(console.service.context);
    expect(await sessions.end({ actor: 'link:grace' })).toBe(1);
    expect((await other.get('/session')).status).toBe(401);
  });
});

describe('The listener of the console', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the host', { 'sec-fetch-site': 'same-site' }],
    ['a program that names no site', { 'sec-fetch-site': '' }],
  ])('refuses a change by %s', async (_by, headers) => {
    const browser = await ConsoleBrowser.signedIn(console);
    expect(await browser.call('DELETE', '/session', undefined, headers)).toMatchObject({
      status: 403,
      body: { error_code: 'console.other_origin' },
    });
    expect((await browser.get('/session')).status).toBe(200);
  });

  it('tells probes that it lives, and that it is not ready while its database does not respond', async () => {
    const statusOf = async (path: string) => (await fetch(`${console.url}${path}`)).status;
    expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 200]);
    const { pool } = console.service.database;
    const { query } = pool;
    Object.assign(pool, { query: () => Promise.reject(new Error('it does not respond')) });
    try {
      expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 503]);
    } finally {
      Object.assign(pool, { query });
    }
  });

  it('refuses a read by the page of another site', async () => {
    const browser = await ConsoleBrowser.signedIn(console);
    const answer = await browser.get('/session', { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
  });

  it('lets a browser open its page from another site, as from a provider that signs in', async () => {
    expect(await statusOfNavigation(`${console.url}/sign-in/return?state=1`)).not.toBe(403);
  });

  it.each(['/api/session', '/API/session'])(
    'refuses to open %s from another site, as it is no page',
    async (path) => {
      expect(await statusOfNavigation(console.url + path)).toBe(403);
    },
  );

  it('answers every unknown address and method with 404, and names no part of it', async () => {
    const browser = await ConsoleBrowser.signedIn(console);
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/session/none'],
      ['DELETE', '/instance/apps'],
      ['GET', '/as/pocket-ledger/sandbox/users/u1/export'],
      ['GET', '/as/pocket-ledger/sandbox/links/mk_1/accounts/numbers'],
      ['GET', '/as/pocket-ledger/nowhere/links'],
      ['GET', '/as/pocket-ledger/sandbox/links/..%2F..%2Fusers'],
    ] as const)
      expect(await browser.call(method, path)).toMatchObject({
        status: 404,
        body: { error_code: 'console.not_found' },
      });
  });
});

// The last, since its tries count for this address.
describe('A guessed link to the console', () => {
  it('is tried a bounded number of times from one address', async () => {
    const tries = Array.from({ length: 100 }, () =>
      new ConsoleBrowser(console.url).signIn('guess'),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(70);
    expect(statuses).toContain(429);
    await eventually(async () => {
      expect((await new ConsoleBrowser(console.url).signIn(await makeCode())).status).toBe(201);
    });
  });
});

/** The status of a page that a link of another site opens; `fetch` has a mode of its own. */
async function statusOfNavigation(url: string): Promise<number | undefined> {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const [response] = (await once(expectLoss(get(url, { headers })), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  return response.statusCode;
}
