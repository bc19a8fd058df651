import { connect } from 'node:net';
import { once } from 'node:events';
import { SimplefinTokenRepository } from '../../../prisma/views/simplefin/simplefin-token.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import { errorOf } from '../../support/services/api-client.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { connectedFinanceApp, createToken, FinanceApp } from './support/finance-app.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';

const USER = 'user-1';
const PATH = `/users/${USER}/simplefin-tokens`;
const MINUTE_MS = 60_000;

apiOfFile();

let origin: string;
beforeAll(() => {
  origin = service.api.baseUrl;
});

interface ListedToken {
  token_id: string;
  status: string;
  expires_at: string | null;
  last_used_at: string | null;
}
async function listed(user = USER, accessToken = token): Promise<ListedToken[]> {
  const response = await service.api.as(accessToken).get(`/users/${user}/simplefin-tokens`);
  return (response.body as { tokens: ListedToken[] }).tokens;
}
const statusOf = async (tokenId: string): Promise<string | undefined> =>
  (await listed()).find(({ token_id: id }) => id === tokenId)?.status;
const revoke = (tokenId: string, user = USER, accessToken = token) =>
  service.api.as(accessToken).delete(`/users/${user}/simplefin-tokens/${tokenId}`);
/** Moves the times of a token into the past. */
const age = (tokenId: string, data: { createdAt?: Date; claimedAt?: Date }) =>
  service.database.prisma.simplefinToken.update({ where: { tokenId }, data });
const ago = (ms: number) => new Date(Date.now() - ms);

const FORBIDDEN = { status: 403, text: 'Forbidden' };

describe('A SimpleFIN token', () => {
  it('is created with a name, and holds a claim address of letters and digits', async () => {
    const created = await createToken(service, token, USER, { name: 'Actual' });
    expect(created).toEqual({
      token_id: expect.stringMatching(/^sft_\w{22}$/),
      name: 'Actual',
      status: 'unclaimed',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      claimed_at: null,
      last_used_at: null,
      setup_token: expect.any(String),
    });
    const address = Buffer.from(created.setup_token, 'base64').toString();
    expect(address).toMatch(/^https?:\/\/[^/]+\/simplefin\/claim\/[A-Za-z0-9]{44}$/);
    expect((await createToken(service, token, USER)).name).toBe('Finance app');
  });

  it('is claimed once, for an access URL that needs no escaping', async () => {
    const { setup_token: setupToken, token_id: id } = await createToken(service, token, USER);
    const app = new FinanceApp(origin);
    const first = await app.claim(setupToken);
    expect(first).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^https?:\/\/[A-Za-z0-9]{22}:[A-Za-z0-9]{44}@[^/]+\/simplefin$/),
    });
    expect(first.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await statusOf(id)).toBe('claimed');
    const { username, password } = new URL(first.text);
    app.use(`${username}:${password}`);
    expect((await app.send()).status).toBe(200);
    expect(await app.claim(setupToken)).toMatchObject(FORBIDDEN);
    expect((await app.send()).status).toBe(200);
    expect(await statusOf(id)).toBe('active');
  });

  it('is claimed by one of many that arrive at once, whose credential works', async () => {
    const { setup_token: setupToken } = await createToken(service, token, USER);
    const secret = atob(setupToken).split('/').at(-1) ?? '';
    const tokens = new SimplefinTokenRepository(service.ctx);
    // The time of arrival is an argument: of requests by HTTP, a busy machine spreads it over seconds.
    const arrivedAt = new Date();
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => tokens.claim(secret, arrivedAt)),
    );
    const [won, ...others] = claims.filter((claim) => claim !== null);
    expect(others).toEqual([]);
    const app = new FinanceApp(origin);
    app.use(won?.credential ?? '');
    expect((await app.send()).status).toBe(200);
  });

  it('ends with its credential when it is claimed again later, before any use', async () => {
    const { setup_token: setupToken, token_id: id } = await createToken(service, token, USER);
    const app = new FinanceApp(origin);
    await app.connect(setupToken);
    await age(id, { claimedAt: ago(MINUTE_MS) });
    expect(await app.claim(setupToken)).toMatchObject(FORBIDDEN);
    expect(await app.send()).toMatchObject(FORBIDDEN);
    expect(await statusOf(id)).toBe('ended');
  });

  it('ends when it was not claimed within a day, or not used within ten minutes', async () => {
    const app = new FinanceApp(origin);
    const late = await createToken(service, token, USER);
    await age(late.token_id, { createdAt: ago(24 * 60 * MINUTE_MS) });
    expect(await app.claim(late.setup_token)).toMatchObject(FORBIDDEN);

    const unused = await createToken(service, token, USER);
    await app.connect(unused.setup_token);
    await age(unused.token_id, { claimedAt: ago(10 * MINUTE_MS) });
    expect(await app.send()).toMatchObject(FORBIDDEN);
    expect(await statusOf(unused.token_id)).toBe('ended');
  });

  it('can be claimed again when the connection ended before the response was sent', async () => {
    const { setup_token: setupToken, token_id: id } = await createToken(service, token, USER);
    const app = new FinanceApp(origin);
    const { hostname, port } = new URL(origin);
    // The claim waits for the row until its caller has left.
    const lock = await service.database.pool.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT 1 FROM simplefin_tokens WHERE token_id = $1 FOR UPDATE', [id]);
    const socket = expectLoss(connect(Number(port), hostname));
    await once(socket, 'connect');
    socket.write(
      `POST ${new URL(app.claimAddress(setupToken)).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
    );
    await eventually(async () => {
      const { rows } = await service.database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE '%simplefin_tokens%'`,
      );
      expect(rows).toHaveLength(1);
    });
    socket.resetAndDestroy();
    await eventually(() => expect(service.log()).toContain('"status":499'));
    await lock.query('COMMIT');
    lock.release();
    await eventually(async () => {
      const row = await service.database.prisma.simplefinToken.findUniqueOrThrow({
        where: { tokenId: id },
      });
      expect([row.claimedAt, row.credentialHash]).toEqual([null, null]);
    });
    await app.connect(setupToken);
    expect((await app.send()).status).toBe(200);
  });

  it('stops at once, at every process, when it is revoked', async () => {
    const created = await createToken(service, token, USER);
    const app = new FinanceApp(origin);
    await app.connect(created.setup_token);
    const second = await service.another();
    try {
      const there = app.at(second.api.baseUrl);
      expect((await there.send()).status).toBe(200);
      expect((await revoke(created.token_id)).status).toBe(204);
      expect(await app.send()).toMatchObject(FORBIDDEN);
      expect(await there.send()).toMatchObject(FORBIDDEN);
    } finally {
      await second.close();
    }
    expect(await statusOf(created.token_id)).toBeUndefined();
    expect(errorOf(await revoke(created.token_id))).toMatchObject({
      status: 404,
      code: 'simplefin_error.not_found',
    });
    const unclaimed = await createToken(service, token, USER);
    await revoke(unclaimed.token_id);
    expect(await app.claim(unclaimed.setup_token)).toMatchObject(FORBIDDEN);
  });

  it('belongs to one user of one app in one environment', async () => {
    const { token_id: id } = await createToken(service, token, USER);
    const [rival, live] = [
      await service.token('rival'),
      await service.token('pocket-ledger', 'live'),
    ];
    expect([await listed('user-2'), await listed(USER, rival), await listed(USER, live)]).toEqual([
      [],
      [],
      [],
    ]);
    const refused = [
      await revoke(id, 'user-2'),
      await revoke(id, USER, rival),
      await revoke(id, USER, live),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await statusOf(id)).toBe('unclaimed');
  });

  it('shows its last use to the minute, without a write for each use', async () => {
    const app = await connectedFinanceApp(service, token, 'user-3');
    await app.send();
    await app.send();
    const [used] = await listed('user-3');
    expect(used).toMatchObject({
      status: 'active',
      expires_at: null,
      last_used_at: expect.stringMatching(/T\d\d:\d\d:00\.000$/),
    });
    const writes = async () => {
      const { rows } = await service.database.pool.query<{ xmin: string }>(
        'SELECT xmin::text FROM simplefin_tokens WHERE token_id = $1',
        [used?.token_id],
      );
      return rows;
    };
    await service.database.prisma.simplefinToken.update({
      where: { tokenId: used?.token_id ?? '' },
      // A use in this or the next minute.
      data: { lastUsedAt: new Date(Date.now() + MINUTE_MS) },
    });
    const before = await writes();
    await app.send();
    expect(await writes()).toEqual(before);
  });

  it('stops with the erasure of its user, and with the last enabled key pair of its app', async () => {
    const app = await connectedFinanceApp(service, token, 'user-4');
    expect((await app.send()).status).toBe(200);
    await service.api.as(token).delete('/users/user-4');
    expect(await app.send()).toMatchObject(FORBIDDEN);

    const rival = await connectedFinanceApp(service, await service.token('rival'), USER);
    expect((await rival.send()).status).toBe(200);
    await service.database.prisma.apiClient.updateMany({
      where: { appId: 'rival' },
      data: { disabledAt: new Date() },
    });
    expect(await rival.send()).toMatchObject(FORBIDDEN);
    await service.database.prisma.apiClient.updateMany({
      where: { appId: 'rival' },
      data: { disabledAt: null },
    });
  });

  it('is in the export of its user without its secrets', async () => {
    const created = await createToken(service, token, 'user-5', { name: 'Sure' });
    const { text, body } = await service.api.as(token).get('/users/user-5/export');
    expect((body as { simplefin_tokens: unknown }).simplefin_tokens).toEqual([
      expect.objectContaining({ token_id: created.token_id, name: 'Sure' }),
    ]);
    expect(text).not.toContain(created.setup_token);
  });

  it('is one of at most 25 of a user, not counting those that ended', async () => {
    const user = 'user-6';
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1)
      ids.push((await createToken(service, token, user)).token_id);
    const oneMore = () =>
      service.api.as(token).post(`/users/${user}/simplefin-tokens`, { json: {} });
    expect(errorOf(await oneMore())).toMatchObject({
      status: 429,
      code: 'api_error.rate_limit_exceeded',
    });
    await age(ids[0] ?? '', { createdAt: ago(24 * 60 * MINUTE_MS) });
    expect((await oneMore()).status).toBe(200);
    expect((await listed(user)).map(({ token_id: id }) => id)).not.toContain(ids[0]);
  });

  it.each([
    ['an empty name', { name: '' }, ['body.name']],
    ['a long name', { name: 'x'.repeat(101) }, ['body.name']],
    ['a list', [], ['body']],
  ])('is refused with %s', async (_name, json, locations) => {
    expect(errorOf(await service.api.as(token).post(PATH, { json }))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations,
    });
  });
});
