import { errorOf } from '../../support/services/api-client.js';
import { BANK, connectedLink, finishedSession } from '../../support/services/api-in-process.js';
import { eventually } from '../../support/assertions/eventually.js';
import { holdNextCommit, holdNextKeyUse } from './support/held-work.js';
import {
  CALLS,
  newKey,
  post,
  service,
  session,
  sessions,
  startTwoProcesses,
  token,
  user,
  elsewhere,
  loseLocks,
  exchange,
  replayed,
} from './support/keyed-calls.js';

startTwoProcesses();

const mismatch = 'api_error.idempotency.mismatch';

describe('A process that dies after committing an effect and before responding', () => {
  it.each(CALLS)(
    'leaves %s that the same key does not create again, and whose response is repeated',
    async (_what, prepare) => {
      const { path, json, status, effects } = await prepare();
      const [key, before] = [newKey(), await effects()];
      const repeat = () => elsewhere(path, key, json);
      const commit = holdNextCommit();
      const dying = post(path, key, { json });
      await commit.doneBy(dying);
      await loseLocks();
      const again = await eventually(async () => {
        const response = await repeat();
        expect(response.status).not.toBe(409);
        return response;
      });
      expect({
        status: again.status,
        replayed: replayed(again),
        text: (await repeat()).text,
      }).toEqual({ status, replayed: 'true', text: again.text });
      expect(await effects()).toBe(before + 1);
      commit.release();
      await dying;
    },
  );
});

describe('Idempotency-Key', () => {
  it('creates one session for many requests, and repeats the response', async () => {
    const [key, before] = [newKey(), await sessions()];
    const first = await session(key);
    const again = await session(key);
    expect({
      firstStatus: first.status,
      firstReplayed: replayed(first),
      againStatus: again.status,
      againReplayed: replayed(again),
    }).toEqual({ firstStatus: 201, firstReplayed: null, againStatus: 201, againReplayed: 'true' });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await sessions()).toBe(before + 1);
  });

  it('is optional: without it each request creates a session', async () => {
    const before = await sessions();
    const create = () => service.api.as(token).post('/link-session', { json: user });
    const [first, second] = [await create(), await create()];
    expect({
      isSame: first.text === second.text,
      replayed: replayed(second),
      sessions: await sessions(),
    }).toEqual({ isSame: false, replayed: null, sessions: before + 2 });
  });

  it('exchanges once (link-lifecycle 15, check 4), and repeats the 201 although the token is used up', async () => {
    const { exchangeableToken } = await finishedSession(service, token);
    const key = newKey();
    const first = await exchange(key, exchangeableToken);
    const again = await exchange(key, exchangeableToken);
    expect({
      firstStatus: first.status,
      againStatus: again.status,
      isSame: again.text === first.text,
      replayed: replayed(again),
    }).toEqual({ firstStatus: 201, againStatus: 201, isSame: true, replayed: 'true' });
    expect(errorOf(await exchange(newKey(), exchangeableToken))).toMatchObject({
      status: 400,
      code: 'link_session_error.invalid_token_exchange',
    });
    expect(
      errorOf(
        await service.api.as(token).post('/link-session/exchange-token', {
          json: { exchangeable_token: exchangeableToken },
        }),
      ),
    ).toMatchObject({ status: 400 });
  });

  it('requests one refresh, and distinguishes two links', async () => {
    const [one, other] = [await connectedLink(service, token), await connectedLink(service, token)];
    const requests = () => service.database.prisma.refreshRequest.count();
    const ask = (linkId: string, key: string, products: string[]) =>
      post(`/links/${linkId}/products`, key, { json: { products } });
    const [key, before] = [newKey(), await requests()];
    const first = await ask(one, key, ['transactions']);
    const again = await ask(one, key, ['transactions']);
    expect({
      firstStatus: first.status,
      againStatus: again.status,
      isSame: again.text === first.text,
      replayed: replayed(again),
    }).toEqual({ firstStatus: 202, againStatus: 202, isSame: true, replayed: 'true' });
    expect(await requests()).toBe(before + 1);
    expect(errorOf(await ask(one, key, ['accounts']))).toMatchObject({
      status: 422,
      code: mismatch,
    });
    expect({
      status: (await ask(other, key, ['transactions'])).status,
      requests: await requests(),
    }).toEqual({ status: 202, requests: before + 2 });
    expect(errorOf(await ask('mk_nobody', newKey(), ['accounts']))).toMatchObject({
      status: 404,
      code: 'link_error.not_found',
    });
  });

  it('imports rows once', async () => {
    const imported = await post('/links/import', newKey(), {
      json: {
        ...user,
        institution_id: BANK,
        accounts: [{ account_id: 'a', name: 'A', type: 'checking', balances: { currency: 'USD' } }],
      },
    });
    const { link_id: linkId } = imported.body as { link_id: string };
    const key = newKey();
    const rows = (description: string) =>
      post(`/links/${linkId}/import/transactions`, key, {
        json: { transactions: [{ account_id: 'a', amount: -1, date: '2026-02-01', description }] },
      });
    const [first, again, other] = [await rows('x'), await rows('x'), await rows('y')];
    expect({
      firstStatus: first.status,
      againStatus: again.status,
      isSame: again.text === first.text,
      replayed: replayed(again),
    }).toEqual({ firstStatus: 200, againStatus: 200, isSame: true, replayed: 'true' });
    expect(errorOf(other)).toMatchObject({ status: 422, code: mismatch });
    // Without the app's own id, a row sent twice would be stored twice.
    expect(
      (await service.api.as(token).get(`/links/${linkId}/transactions?start_date=1900-01-01`)).body,
    ).toMatchObject({ total: 1 });
  });

  it('runs concurrent requests once; the others must wait or receive the same response', async () => {
    const { exchangeableToken } = await finishedSession(service, token);
    const key = newKey();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => exchange(key, exchangeableToken)),
    );
    const done = responses.filter(({ status }) => status === 201);
    expect(done.filter((response) => replayed(response) === null)).toHaveLength(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(errorOf(response)).toEqual({
        status: 409,
        code: 'api_error.idempotency.in_progress',
        locations: [],
      });
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await exchange(key, exchangeableToken)).text).toBe(done[0]?.text);
  });

  it('belongs to one body, path, app and environment', async () => {
    const key = newKey();
    const first = await session(key);
    expect(errorOf(await session(key, { ...user, tags: ['a'] }))).toEqual({
      status: 422,
      code: mismatch,
      locations: [],
    });
    expect(errorOf(await exchange(key, 'sandbox_xt_unknown'))).toMatchObject({ status: 400 });
    for (const other of [
      await session(key, user, await service.token('rival')),
      await session(key, user, await service.token('pocket-ledger', 'live')),
    ]) {
      expect({
        status: other.status,
        replayed: replayed(other),
        isSame: other.text === first.text,
      }).toEqual({ status: 201, replayed: null, isSame: false });
    }
    expect((await session(key)).text).toBe(first.text);
  });

  it('stores refusals', async () => {
    const key = newKey();
    const ask = () => session(key, { ...user, connect_features: { issue_reporter: true } });
    const first = await ask();
    await service.database.prisma.application.update({
      where: { appId: 'pocket-ledger' },
      data: { features: ['issue_reporter'] },
    });
    const again = await ask();
    expect({
      firstStatus: first.status,
      firstReplayed: replayed(first),
      againStatus: again.status,
      againReplayed: replayed(again),
      text: again.text,
    }).toEqual({
      firstStatus: 403,
      firstReplayed: null,
      againStatus: 403,
      againReplayed: 'true',
      text: first.text,
    });
    expect(
      (await session(newKey(), { ...user, connect_features: { issue_reporter: true } })).status,
    ).toBe(201);
    await service.database.prisma.application.update({
      where: { appId: 'pocket-ledger' },
      data: { features: [] },
    });
  });

  it('does not store a failure of the service', async () => {
    const key = newKey();
    await service.database.pool.query('ALTER TABLE link_sessions RENAME TO link_sessions_away');
    try {
      expect((await session(key)).status).toBe(500);
    } finally {
      await service.database.pool.query('ALTER TABLE link_sessions_away RENAME TO link_sessions');
    }
    const next = await session(key);
    expect({ status: next.status, replayed: replayed(next) }).toEqual({
      status: 201,
      replayed: null,
    });
  });

  it('is ignored by other calls', async () => {
    const responses = await Promise.all(
      ['a', 'a b', ''].map((key) =>
        service.api.as(token).get('/links', { headers: { 'idempotency-key': key } }),
      ),
    );
    expect(responses.map((response) => [response.status, replayed(response)])).toEqual(
      Array(3).fill([200, null]),
    );
  });

  it('is free again after its process died', async () => {
    const [key, before] = [newKey(), await sessions()];
    const repeat = () => elsewhere('/link-session', key, user);
    const inUse = { status: 409, code: 'api_error.idempotency.in_progress' };
    const use = holdNextKeyUse();
    const dying = session(key);
    await use.doneBy(dying);
    expect(errorOf(await repeat())).toMatchObject(inUse);
    await loseLocks();
    const next = await eventually(async () => {
      const response = await repeat();
      expect(response.status).toBe(201);
      return response;
    });
    expect(replayed(next)).toBeNull();
    // It was not dead but only slow.
    use.release();
    expect(errorOf(await dying)).toMatchObject(inUse);
    expect({ text: (await repeat()).text, sessions: await sessions() }).toEqual({
      text: next.text,
      sessions: before + 1,
    });
  });
});

describe('The check of Idempotency-Key (step 6 of the checks)', () => {
  it.each([
    ['a space', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['no characters', ''],
    ['letters beyond ASCII', 'schl\u00fcssel'],
  ])('refuses a key of %s', async (_what, key) => {
    expect(errorOf(await session(key))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: ['header.idempotency-key'],
    });
  });

  it('accepts every visible character, and 255 of them', async () => {
    const visible = Array.from({ length: 94 }, (_, index) =>
      String.fromCharCode(0x21 + index),
    ).join('');
    for (const key of [visible, 'x'.repeat(255)]) expect((await session(key)).status).toBe(201);
  });

  it('comes after all checks of the shape, so a malformed request uses no key', async () => {
    const key = newKey();
    const invalid = { status: 422, code: 'api_error.request.validation_failed' };
    for (const wrong of [
      { customer_user: {} },
      { ...user, webhook: 'nowhere' },
      { ...user, institution_id: 'no_one' },
      { ...user, connect_features: { issue_reporter: 1 } },
    ]) {
      expect(errorOf(await session(key, wrong))).toMatchObject(invalid);
    }
    expect((await session(key)).status).toBe(201);
    expect(errorOf(await session(key, { ...user, webhook: 'nowhere' }))).toMatchObject(invalid);
  });

  it('comes before the lookup of the link', async () => {
    const key = newKey();
    expect((await session(key)).status).toBe(201);
    expect(errorOf(await session(key, { ...user, existing_link_id: 'mk_nobody' }))).toMatchObject({
      code: mismatch,
    });
    expect(errorOf(await session('a b', { ...user, existing_link_id: 'mk_nobody' }))).toMatchObject(
      { status: 422 },
    );
  });

  it('comes after authentication', async () => {
    expect(errorOf(await session('a b', user, 'unknown'))).toMatchObject({ status: 401 });
  });
});

it('An idempotency record stores no token in plain text', async () => {
  const created = await session(newKey(), { ...user, institution_id: BANK });
  const { link_session_token: secret } = created.body as { link_session_token: string };
  const { rows } = await service.database.pool.query<{ text: string }>(
    "SELECT r::text || encode(coalesce(outcome, ''), 'escape') AS text FROM idempotency_records r",
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) expect(text).not.toContain(secret);
  expect(service.log()).not.toContain(secret);
});
