import type { PairLimits } from '../../../prisma/tenants/applications/key-pair.repository.js';
import { AppUseRepository } from '../../../prisma/tenants/usage/app-use.repository.js';
import { SimplefinTokenRepository } from '../../../prisma/views/simplefin/simplefin-token.repository.js';
import {
  newKeyPair,
  requestToken,
  tokenOfPair,
  type KeyPair,
} from '../../support/fixtures/key-pair.js';
import { eventually } from '../../support/assertions/eventually.js';
import type { ApiResponse } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  startApiInProcess,
  tenant,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { FinanceApp } from '../simplefin/support/finance-app.js';

/** Large beside what refills while a slow machine runs a test. */
const BURST = 40;
const MAIN: KeyPair = {
  client_id: clientId('pocket-ledger', 'sandbox'),
  client_secret: clientSecret('pocket-ledger', 'sandbox'),
};
const REACHES_NOTHING: Partial<PairLimits> = { restriction: { users: ['no-one'] } };

/** Each test has a process of its own, whose buckets are full. */
let service: ApiInProcess;
beforeEach(async () => {
  service = await startApiInProcess({ RATE_LIMIT_API: `1/s:${BURST}` });
});
afterEach(() => service?.close());

/** The number of granted calls where `share` was full: less than twice as many, since little refills. */
function expectShare(responses: readonly { status: number }[], share: number): void {
  const granted = countOf(responses, 200);
  expect(granted + countOf(responses, 429)).toBe(responses.length);
  expect(granted).toBeGreaterThanOrEqual(share);
  expect(granted).toBeLessThan(2 * share);
}

const countOf = (responses: readonly { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

async function calls(pair: KeyPair, number: number): Promise<ApiResponse[]> {
  const token = await tokenOfPair(service, pair);
  const all = Array.from({ length: number }, () => service.api.get('/links', { token }));
  return Promise.all(all);
}

/** A finance app that has claimed a token of its own, without a call that would count. */
async function financeApp(user: string): Promise<FinanceApp> {
  const tokens = new SimplefinTokenRepository(service.ctx);
  const operator = { ...tenant('pocket-ledger'), clientId: null };
  const created = await tokens.create(operator, user, 'Finance app');
  const secret = created.kind === 'created' ? created.secret : '';
  const claimed = await tokens.claim(secret, new Date());
  const app = new FinanceApp(service.api.baseUrl);
  app.use(claimed?.credential ?? '');
  return app;
}

describe('A limited key pair', () => {
  it('that calls without pause takes a quarter of the calls of its app, and leaves the others', async () => {
    const limited = await newKeyPair(service, REACHES_NOTHING);
    const flood = await calls(limited, 2 * BURST);
    expectShare(flood, BURST / 4);
    const policies = flood.map(({ headers }) => headers.get('ratelimit-policy'));
    expect(new Set(policies)).toEqual(new Set([`"key-pair";q=${BURST / 4};w=${BURST}`]));
    expectShare(await calls(MAIN, BURST), (3 * BURST) / 4);
  });

  it.each<[string, Partial<PairLimits>, number]>([
    ['of chosen scopes has a quarter', { scopes: ['links:read'] }, BURST / 4],
    ['with a share of its own has that', { ...REACHES_NOTHING, sharePercent: 50 }, BURST / 2],
    [
      'with all of the limit has what its app has',
      { ...REACHES_NOTHING, sharePercent: 100 },
      BURST,
    ],
    ['that has only an end has what its app has', { endsAt: new Date('2099-01-01') }, BURST],
  ])('%s', async (_, limits, granted) => {
    const flood = await calls(await newKeyPair(service, limits), 2 * BURST);
    expectShare(flood, granted);
  });

  it('holds a quarter of the listeners of its app', async () => {
    const [limited, main] = [
      service.api.as(await tokenOfPair(service, await newKeyPair(service, REACHES_NOTHING))),
      service.api.as(await tokenOfPair(service, MAIN)),
    ];
    const own = [];
    for (let listener = 0; listener < 6; listener += 1)
      own.push(await limited.post('/webhooks/listeners'));
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(own[5]?.text).toContain('This key pair may have 5 listeners in an environment.');
    expect((await main.post('/webhooks/listeners')).status).toBe(200);
  });

  it('takes a quarter of the tokens of its app in a day', async () => {
    const use = new AppUseRepository(service.ctx);
    await use.setLimit(tenant('pocket-ledger'), 'access_tokens', 8);
    const limited = await newKeyPair(service, REACHES_NOTHING);
    const [own, others]: [ApiResponse[], ApiResponse[]] = [[], []];
    for (let call = 0; call < 8; call += 1) own.push(await requestToken(service, limited));
    for (let call = 0; call < 8; call += 1) others.push(await requestToken(service, MAIN));
    expect([countOf(own, 201), countOf(others, 201)]).toEqual([2, 6]);
    expect(own.at(-1)?.text).toContain(
      'This key pair may use 2 access tokens per day, its share of what its app may use (ACCESS_TOKENS_PER_DAY).',
    );
  });
});

describe('Finance apps', () => {
  it('take half of the calls of their app together, and leave it the others', async () => {
    const apps = await Promise.all(Array.from({ length: 24 }, (_, at) => financeApp(`user-${at}`)));
    const flood = await Promise.all(apps.flatMap((app) => [1, 2, 3, 4].map(() => app.send())));
    expectShare(flood, BURST / 2);
    expectShare(await calls(MAIN, BURST), BURST / 2);
  });

  it('are refused alone when one of them takes more than a quarter of the calls of its app', async () => {
    const [greedy, other] = [await financeApp('user-1'), await financeApp('user-2')];
    const flood = await Promise.all(Array.from({ length: BURST }, () => greedy.send()));
    expectShare(flood, BURST / 4);
    expect((await other.send()).status).toBe(200);
  });

  it('are refused while their app uses up its calls', async () => {
    const app = await financeApp('user-1');
    const token = await tokenOfPair(service, MAIN);
    let refused = 0;
    let isOver = false;
    const caller = async () => {
      while (!isOver) if ((await service.api.get('/links', { token })).status === 429) refused += 1;
    };
    const flood = Promise.all(Array.from({ length: 8 }, caller));
    await eventually(() => expect(refused).toBeGreaterThan(0));
    // Fewer than the app may send on its own.
    const sent = [];
    for (let call = 0; call < 5; call += 1) sent.push(await app.send());
    isOver = true;
    await flood;
    expect(countOf(sent, 429)).toBeGreaterThan(0);
  });
});
