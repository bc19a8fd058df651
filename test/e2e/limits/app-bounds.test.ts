import { BOUND_NAMES, type BoundName } from '../../../domain/limits/app-bounds.js';
import type { Environment } from '../../../domain/api/environment.js';
import { UserErasureRepository } from '../../../prisma/views/users/user-erasure.repository.js';
import { runCommand } from '../../support/actors/operator.js';
import type { ApiResponse } from '../../support/services/api-client.js';
import { clientId, clientSecret } from '../../support/services/api-in-process.js';
import {
  APP,
  deleteLink,
  errorIn,
  importLink,
  importRequest,
  limit,
  linkIdOf,
  operate,
  otherProcess,
  refusedBy,
  ROWS,
  service,
  session,
  shown,
  startBoundedApp,
  stored,
  token,
  used,
  USES,
} from './support/bounded-app.js';

startBoundedApp();

describe('One key pair', () => {
  it('cannot grow the database past ROWS_PER_APP with imports, and can grow it again after deleting a link', async () => {
    await limit('rows', 'default');
    const answers: ApiResponse[] = [];
    for (let call = 0; call < 10; call += 1) answers.push(await importLink(10));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: ROWS / 10 }, () => 200),
      ...Array.from({ length: 10 - ROWS / 10 }, () => 429),
    ]);
    expect(errorIn(answers.at(-1) as ApiResponse)).toMatchObject(refusedBy('rows', ROWS));
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stored()).toMatchObject({ links: ROWS / 10, rows: ROWS });

    await deleteLink(linkIdOf(answers[0] as ApiResponse));
    expect((await importLink(10)).status).toBe(200);
    expect((await importLink(1)).status).toBe(429);
  });

  it('leaves nothing of an import that is refused, not even its user', async () => {
    await limit('imported_bytes', 10);
    const before = await stored();
    expect((await importLink(3, { customer_user: { id: 'refused' } })).status).toBe(429);
    expect(await stored()).toEqual(before);
  });

  it('takes no room from another app', async () => {
    await limit('links', 0);
    const rival = await service.token('rival');
    const answer = await service.api.as(rival).post('/links/import', { json: importRequest(1) });
    expect(answer.status).toBe(200);
  });
});

describe.each(BOUND_NAMES)('The bound %s of an app', (bound) => {
  it('admits exactly its number, refuses the next call with 429 and its limit, and counts no refused call', async () => {
    const { prepare, call, amount = 1 } = USES[bound];
    const prepared = await prepare?.();
    const start = await used(bound);
    const max = start + 2 * amount;
    await limit(bound, max);

    const admitted = [await call(prepared), await call(prepared)];
    expect(admitted.map(({ status }) => status < 300)).toEqual([true, true]);
    const before = await stored();
    const refused = [await call(prepared), await call(prepared)];
    for (const answer of refused) {
      expect(errorIn(answer)).toMatchObject(refusedBy(bound, max));
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(await stored()).toEqual(before);
    expect(await used(bound)).toBe(max);

    await limit(bound, bound === 'rows' ? 1_000_000 : 'default');
    expect((await call(prepared)).status).toBeLessThan(300);
  });
});

describe('Concurrent imports in two processes', () => {
  it('are admitted exactly up to the bound', async () => {
    const room = 5;
    await limit('links', (await used('links')) + room);
    const apis = [service.api, otherProcess.api];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (apis[index % 2] ?? service.api).as(token).post('/links/import', {
          json: importRequest(2, { customer_user: { id: `c${index}` } }),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(room);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16 - room);
  });
});

describe('A repeated request with the same Idempotency-Key', () => {
  it('is not counted again, and is served even where a first request is refused', async () => {
    const headers = { 'idempotency-key': 'import-once' };
    const request = importRequest(2);
    const post = () => service.api.as(token).post('/links/import', { json: request, headers });
    const first = await post();
    const counted = (await shown()).filter(({ bound }) => bound !== 'sandbox_calls');
    await limit('links', 0);
    await limit('idempotency_records', 0);
    const again = await post();
    expect(again).toMatchObject({ status: 200, body: first.body });
    await limit('links', 'default');
    await limit('idempotency_records', 'default');
    expect((await shown()).filter(({ bound }) => bound !== 'sandbox_calls')).toEqual(counted);
  });

  it('is a first use once the app has room again', async () => {
    const headers = { 'idempotency-key': 'import-later' };
    await limit('links', 0);
    const request = importRequest(1);
    const post = () => service.api.as(token).post('/links/import', { json: request, headers });
    const recorded = await used('idempotency_records');
    expect((await post()).status).toBe(429);
    expect(await used('idempotency_records')).toBe(recorded);
    await limit('links', 'default');
    expect((await post()).status).toBe(200);
  });
});

describe('The use of an app', () => {
  it('decreases when a user is erased', async () => {
    const before = { links: await used('links'), rows: await used('rows') };
    await importLink(4, { customer_user: { id: 'to-erase' } });
    await importLink(3, { customer_user: { id: 'to-erase' } });
    expect({ links: await used('links'), rows: await used('rows') }).toEqual({
      links: before.links + 2,
      rows: before.rows + 7,
    });
    await service.api.as(token).send('DELETE', '/users/to-erase');
    const erasures = new UserErasureRepository(service.ctx);
    const open = await service.database.prisma.userErasure.findMany({ where: { erasedAt: null } });
    for (const { erasureId } of open) while ((await erasures.advance(erasureId)) === 'more');
    expect({ links: await used('links'), rows: await used('rows') }).toEqual(before);
  });

  it('equals the stored data, after all of the tests above', async () => {
    const { links } = await stored();
    expect(await used('links')).toBe(links);
    const [{ rows } = { rows: -1 }] = await service.database.prisma.$queryRaw<{ rows: number }[]>`
      SELECT count(*)::int AS rows FROM transaction_versions v JOIN links l ON l.pk = v.link_pk WHERE l.app_id = ${APP}`;
    expect(await used('rows')).toBe(rows);
  });
});

describe('An app at its limit of links', () => {
  it('gets neither a link session of the native API nor a link token of the compatibility layer, and the error names the bound', async () => {
    const max = await used('links');
    await limit('links', max);
    expect(errorIn(await session())).toMatchObject(refusedBy('links', max));
    const response = await fetch(`${service.api.baseUrl}/link/token/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: clientId(APP, 'sandbox'),
        secret: clientSecret(APP, 'sandbox'),
        client_name: 'App',
        language: 'en',
        country_codes: ['US'],
        products: ['transactions'],
        user: { client_user_id: 'user-1' },
      }),
    });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      error_type: 'RATE_LIMIT_EXCEEDED',
      error_code: 'RATE_LIMIT',
      error_message: expect.stringContaining(`${max} links`) as string,
    });
  });
});

describe('custom_sandbox_data', () => {
  it('counts toward IMPORTED_BYTES_PER_DAY', async () => {
    const create = () =>
      service.api.as(token).post('/link-session', {
        json: {
          customer_user: { id: 'u' },
          custom_sandbox_data: {
            accounts: [
              { account_type: 'depository.checking', name: 'A', account_number: '100020001101' },
            ],
          },
        },
      });
    const before = await used('imported_bytes');
    expect((await create()).status).toBe(201);
    const after = await used('imported_bytes');
    expect(after).toBeGreaterThan(before);
    await limit('imported_bytes', after);
    expect(errorIn(await create())).toMatchObject(refusedBy('imported_bytes', after));
  });
});

describe('apps show', () => {
  it('lists every bound of both environments with its use, its limit and the origin of the limit', async () => {
    await operate('apps', 'limit', APP, 'sandbox', 'links', '7000');
    const bounds = await shown();
    expect(bounds.map(({ environment, bound }) => `${environment} ${bound}`)).toEqual(
      ['sandbox', 'live'].flatMap((environment) =>
        BOUND_NAMES.map((bound) => `${environment} ${bound}`),
      ),
    );
    const of = (environment: Environment, bound: BoundName) =>
      bounds.find((row) => row.environment === environment && row.bound === bound);
    expect(of('sandbox', 'links')).toMatchObject({
      limit: 7_000,
      counted: 'now',
      set_by: 'apps limit',
    });
    expect(of('live', 'links')).toMatchObject({
      used: 0,
      limit: 1_000_000,
      set_by: 'LINKS_PER_APP',
    });
    expect(of('live', 'rows')).toMatchObject({ limit: ROWS });
    const { stdout } = await runCommand(['apps', 'show', APP], service.environment);
    expect(stdout).toMatch(/sandbox\s+links\s+\d+\s+7000\s+now\s+apps limit/);
  });

  it('fails for an app that does not exist', async () => {
    expect(await runCommand(['apps', 'show', 'unknown-app'], service.environment)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no app unknown-app.') as string,
    });
  });
});
