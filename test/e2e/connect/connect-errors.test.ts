import { randomUUID } from 'node:crypto';
import { errorOf, type ApiResponse, type ApiClient } from '../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  finishedSession,
  openSession,
  startApiInProcess,
  type ApiInProcess,
  type OpenedSession,
} from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';

let service: ApiInProcess;
let token: string;
let session: OpenedSession;
let connect: ApiClient;

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
});

beforeEach(async () => {
  session = await openSession(service, token);
  connect = service.api.as(session.connectToken);
});

afterAll(async () => {
  await service?.close();
});

const invalid = 'connect_error.invalid_input';
const select = (institutionId = BANK) => ({
  kind: 'select_institution',
  institution_id: institutionId,
});
const open = (fields: Record<string, unknown>) =>
  service.api.post('/connect/api/session/open', {
    json: { request_id: randomUUID(), origin: null, platform: 'ios', ...fields },
  });
const step = (input: unknown, seq = session.seq, requestId: string = randomUUID()) =>
  connect.post('/connect/api/session/step', { json: { seq, request_id: requestId, input } });
const finish = (requestId: string = randomUUID()) =>
  connect.post('/connect/api/session/finish', { json: { request_id: requestId } });
const exit = (reason = 'user_closed') =>
  connect.post('/connect/api/session/exit', { json: { request_id: randomUUID(), reason } });
const viewOf = ({ body }: ApiResponse) =>
  body as { seq: number; step: { kind: string }; connect_token?: string };
const set = (
  data: Parameters<ApiInProcess['database']['prisma']['linkSession']['update']>[0]['data'],
) => service.database.prisma.linkSession.update({ where: { sessionId: session.sessionId }, data });

describe('POST /connect/api/session/open', () => {
  it.each([
    ['an empty body', {}, 422, invalid, ['body.link_session_token']],
    [
      'an invalid request id',
      { link_session_token: 'x', request_id: 'x' },
      422,
      invalid,
      ['body.request_id'],
    ],
    [
      'an unknown platform',
      { link_session_token: 'x', platform: 'android' },
      422,
      invalid,
      ['body.platform'],
    ],
    [
      'an unknown token',
      { link_session_token: 'sandbox_ls_unknown' },
      401,
      'connect_error.invalid_session_token',
      [],
    ],
    [
      'a malformed token',
      { link_session_token: 'a b' },
      401,
      'connect_error.invalid_session_token',
      [],
    ],
    [
      'an overlong token',
      { link_session_token: 'x'.repeat(257) },
      401,
      'connect_error.invalid_session_token',
      [],
    ],
  ])('refuses %s', async (_title, fields, status, code, locations) => {
    const before = await storedRows(service.database.pool);
    expect(errorOf(await open(fields))).toEqual({ status, code, locations });
    expect(await storedRows(service.database.pool)).toEqual(before);
  });

  it('refuses a page origin that is not on the list', async () => {
    const listed = {
      where: { appId: 'pocket-ledger' },
      data: { pageOrigins: ['https://app.example'] },
    };
    await service.database.prisma.application.update(listed);
    const from = async (origin: string | null, platform = 'web') =>
      (await open({ link_session_token: session.linkSessionToken, origin, platform })).status;
    expect({
      listed: await from('https://app.example'),
      foreign: await from('https://evil.example'),
      none: await from(null),
      phone: await from(null, 'react-native'),
    }).toEqual({ listed: 200, foreign: 403, none: 403, phone: 200 });
    await service.database.prisma.application.update({ ...listed, data: { pageOrigins: [] } });
  });

  it.each([
    ['a page', 'https://app.example', 'web'],
    ['a phone app', null, 'ios'],
  ])(
    'refuses a Live session of an app without a list of page origins to %s',
    async (_, origin, platform) => {
      const live = await service.token('pocket-ledger', 'live');
      const { body } = await service.api
        .as(live)
        .post('/link-session', { json: { customer_user: { id: 'u' } } });
      const { link_session_token: liveToken } = body as { link_session_token: string };
      expect(liveToken).toMatch(/^live_ls_/);
      expect(
        errorOf(
          await open({
            link_session_token: liveToken,
            origin,
            platform,
          }),
        ),
      ).toMatchObject({ status: 403, code: 'connect_error.origin_not_allowed' });
    },
  );

  it('refuses an expired session', async () => {
    await set({ expiresAt: new Date(Date.now() - 1) });
    expect(errorOf(await open({ link_session_token: session.linkSessionToken }))).toMatchObject({
      status: 410,
      code: 'connect_error.session_expired',
    });
  });
});

describe('The token of a Connect window', () => {
  it('is refused with session_moved after the session moved to another window', async () => {
    expect((await open({ link_session_token: session.linkSessionToken })).status).toBe(200);
    for (const response of [
      await connect.get('/connect/api/session'),
      await step(select()),
      await finish(),
      await exit(),
      await connect.get('/connect/api/institutions'),
    ]) {
      expect(errorOf(response)).toEqual({
        status: 409,
        code: 'connect_error.session_moved',
        locations: [],
      });
    }
  });

  it('is required for every call of the session', async () => {
    for (const path of ['/connect/api/session', '/connect/api/institutions']) {
      expect(errorOf(await service.api.get(path))).toMatchObject({
        status: 401,
        code: 'connect_error.invalid_session_token',
      });
    }
    expect(errorOf(await service.api.as(token).get('/connect/api/session'))).toMatchObject({
      status: 401,
      code: 'connect_error.invalid_session_token',
    });
  });

  it('reads the view of docs/contract/connect.md 4', async () => {
    const { body } = await connect.get('/connect/api/session');
    expect(body).toEqual({
      session_id: session.sessionId,
      mode: 'link',
      environment: 'sandbox',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      seq: 1,
      app: { name: 'pocket-ledger', logo_url: null },
      products: { transactions: { required: false, reason: null } },
      countries: ['US'],
      features: { connect_manually: false },
      theme: null,
      redirect_uri: null,
      institution: null,
      step: {
        kind: 'select_institution',
        id: 'st_1',
        can_go_back: false,
        message: null,
        error: null,
        attempts_left: null,
        expires_at: null,
      },
    });
  });
});

describe('POST /connect/api/session/step', () => {
  it.each([
    ['a missing seq', { request_id: randomUUID(), input: select() }, ['body.seq']],
    ['a missing request id', { seq: 1, input: select() }, ['body.request_id']],
    ['an invalid request id', { seq: 1, request_id: '1', input: select() }, ['body.request_id']],
    ['a missing input', { seq: 1, request_id: randomUUID() }, ['body.input']],
    [
      'an input without a kind',
      { seq: 1, request_id: randomUUID(), input: {} },
      ['body.input.kind'],
    ],
    [
      'an unknown kind',
      { seq: 1, request_id: randomUUID(), input: { kind: 'dance' } },
      ['body.input.kind'],
    ],
    [
      'a kind of another step',
      { seq: 1, request_id: randomUUID(), input: { kind: 'consent', granted: [] } },
      ['body.input.kind'],
    ],
    [
      'back on a step without a previous one',
      { seq: 1, request_id: randomUUID(), input: { kind: 'back' } },
      ['body.input.kind'],
    ],
    [
      'a missing institution',
      { seq: 1, request_id: randomUUID(), input: { kind: 'select_institution' } },
      ['body.input.institution_id'],
    ],
    [
      'a form whose values are not strings',
      { seq: 1, request_id: randomUUID(), input: { kind: 'form', values: { user: 1 } } },
      ['body.input.values.user'],
    ],
  ])('refuses %s', async (_title, json, locations) => {
    const before = await storedRows(service.database.pool);
    expect(errorOf(await connect.post('/connect/api/session/step', { json }))).toEqual({
      status: 422,
      code: invalid,
      locations,
    });
    expect(await storedRows(service.database.pool)).toEqual(before);
  });

  it('refuses institutions the session may not use', async () => {
    for (const institution of ['no_one', 'live-bank', 'sandbox-oauth-bank']) {
      expect(errorOf(await step(select(institution)))).toMatchObject({
        status: 404,
        code: 'connect_error.institution_not_available',
      });
    }
    expect(viewOf(await connect.get('/connect/api/session'))).toMatchObject({
      seq: 1,
      step: { kind: 'select_institution' },
    });
  });

  it('refuses a seq that is not the current one, and returns the view', async () => {
    const response = await step(select(), 7);
    expect(errorOf(response)).toMatchObject({ status: 409, code: 'connect_error.stale_step' });
    expect(response.body).toMatchObject({ view: { seq: 1, step: { kind: 'select_institution' } } });
  });

  it('refuses a second answer while one is in progress, and returns the view', async () => {
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    const response = await step(select());
    expect(errorOf(response)).toMatchObject({
      status: 409,
      code: 'connect_error.step_in_progress',
    });
    expect(response.body).toMatchObject({ view: { session_id: session.sessionId } });
  });

  it('refuses everything after success except a repetition', async () => {
    const requestId = randomUUID();
    expect(viewOf(await step(select('instant'), 1, requestId))).toMatchObject({
      seq: 2,
      step: { kind: 'success' },
    });
    expect(viewOf(await step(select('instant'), 1, requestId))).toMatchObject({
      seq: 2,
      step: { kind: 'success' },
    });
    expect(errorOf(await step(select(), 1))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
    expect(errorOf(await step(select(), 2))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
    expect((await exit()).body).toEqual({ closed: true });
    expect(viewOf(await connect.get('/connect/api/session'))).toMatchObject({
      step: { kind: 'success' },
    });
  });

  it('refuses everything after the session expired', async () => {
    await set({ expiresAt: new Date(Date.now() - 1) });
    for (const response of [
      await step(select()),
      await connect.get('/connect/api/session'),
      await finish(),
      await connect.get('/connect/api/institutions'),
    ]) {
      expect(errorOf(response)).toMatchObject({
        status: 410,
        code: 'connect_error.session_expired',
      });
    }
    expect((await exit()).body).toEqual({ closed: true });
  });

  it('returns the current step when the workflow takes longer', async () => {
    service.steps.next = { kind: 'waiting' };
    expect(viewOf(await step(select()))).toMatchObject({ seq: 1 });
  });
});

describe('The credentials a user enters', () => {
  const form = {
    kind: 'form' as const,
    purpose: 'credentials' as const,
    help_url: null,
    reset_url: null,
    fields: [
      {
        name: 'password',
        label: 'Password',
        type: 'password' as const,
        required: true,
        secret: true,
        autocomplete: 'current-password',
        max_length: 20,
        pattern: null,
        options: null,
      },
    ],
  };

  it('are validated against the form, and reach the workflow only as a reference', async () => {
    await service.steps.show(session.sessionId, 2, form);
    expect(errorOf(await step({ kind: 'form', values: {} }, 2))).toMatchObject({
      status: 422,
      locations: ['body.input.values.password'],
    });
    expect(
      errorOf(await step({ kind: 'form', values: { password: 'x'.repeat(21) } }, 2)),
    ).toMatchObject({ status: 422, locations: ['body.input.values.password'] });
    const requestId = randomUUID();
    expect(
      (await step({ kind: 'form', values: { password: 'canary-password' } }, 2, requestId)).status,
    ).toBe(200);
    expect(service.steps.received.at(-1)).toEqual({
      seq: 2,
      requestId,
      input: { kind: 'form', sealedAs: requestId },
    });
    const { rows } = await service.database.pool.query<{ sealed: Buffer }>(
      "SELECT sealed FROM session_secrets WHERE session_id = $1 AND kind = 'answer'",
      [session.sessionId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed.includes('canary-password')).toBe(false);
    expect(service.log()).not.toContain('canary-password');
  });
});

describe('The result of a session', () => {
  it('is returned in the success step only', async () => {
    const early = await finish();
    expect(errorOf(early)).toMatchObject({ status: 409, code: 'connect_error.stale_step' });
    expect(early.body).toMatchObject({ view: { seq: 1 } });
    expect(errorOf(await finish('x'))).toMatchObject({
      status: 422,
      code: invalid,
      locations: ['body.request_id'],
    });
    expect(errorOf(await exit('bored'))).toMatchObject({
      status: 422,
      code: invalid,
      locations: ['body.reason'],
    });
  });

  it('is the same for the same request, and is voided by another one', async () => {
    const finished = await finishedSession(service, token);
    const result = async (requestId: string) =>
      (
        await service.api
          .as(finished.connectToken)
          .post('/connect/api/session/finish', { json: { request_id: requestId } })
      ).body as { exchangeable_token: string };
    const requestId = randomUUID();
    const first = await result(requestId);
    expect(first).toEqual({
      mode: 'link',
      exchangeable_token: expect.stringMatching(/^sandbox_xt_[\w-]{43}$/),
      expires_in: 1800,
      session_id: finished.sessionId,
      institution: expect.objectContaining({
        institution_id: BANK,
        group: 'primary',
        login: 'none',
        health: 'operational',
      }),
      accounts: [
        {
          account_id: expect.stringMatching(/^acc_/),
          account_type: 'depository.checking',
          name: 'Everyday Checking',
          account_mask: '1101',
        },
        {
          account_id: expect.stringMatching(/^acc_/),
          account_type: 'depository.savings',
          name: 'Rainy Day Savings',
          account_mask: '2202',
        },
      ],
    });
    expect(await result(requestId)).toEqual(first);
    const second = await result(randomUUID());
    expect(second.exchangeable_token).not.toBe(first.exchangeable_token);

    const exchange = (exchangeable: string, as: string) =>
      service.api
        .as(as)
        .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeable } });
    const refused = { status: 400, code: 'link_session_error.invalid_token_exchange' };
    expect(errorOf(await exchange(finished.exchangeableToken, token))).toMatchObject(refused);
    expect(errorOf(await exchange(first.exchangeable_token, token))).toMatchObject(refused);
    expect(
      errorOf(await exchange(second.exchangeable_token, await service.token('rival'))),
    ).toMatchObject(refused);
    expect(
      errorOf(
        await exchange(second.exchangeable_token, await service.token('pocket-ledger', 'live')),
      ),
    ).toMatchObject(refused);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => exchange(second.exchangeable_token, token)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    for (const path of ['/connect/api/session', '/connect/api/institutions']) {
      expect(errorOf(await service.api.as(finished.connectToken).get(path))).toMatchObject({
        status: 410,
        code: 'connect_error.session_closed',
      });
    }
    expect(errorOf(await open({ link_session_token: finished.linkSessionToken }))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
  });

  it('is exchanged only for the user the app expects, and stays valid for that user', async () => {
    const finished = await finishedSession(service, token, { customer_user: { id: 'Robin' } });
    const exchange = (expected: unknown, headers: Record<string, string> = {}) =>
      service.api.as(token).post('/link-session/exchange-token', {
        json: {
          exchangeable_token: finished.exchangeableToken,
          expected_customer_user_id: expected,
        },
        headers,
      });
    const linkOf = () =>
      service.database.prisma.link.findFirstOrThrow({
        where: { sessions: { some: { sessionId: finished.sessionId } } },
        select: { linkId: true, state: true, revision: true, exchangeableTokens: true },
      });
    const before = await linkOf();
    for (const other of ['Alex', 'robin', ' Robin', 'Robin ', 'R']) {
      expect(errorOf(await exchange(other))).toMatchObject({
        status: 403,
        code: 'link_error.forbidden_action',
      });
    }
    const key = { 'idempotency-key': randomUUID() };
    expect({
      firstStatus: (await exchange('Alex', key)).status,
      secondStatus: (await exchange('Alex', key)).status,
    }).toEqual({ firstStatus: 403, secondStatus: 403 });
    for (const unreadable of [null, '', 'x'.repeat(151)]) {
      expect(errorOf(await exchange(unreadable))).toMatchObject({
        status: 422,
        locations: ['body.expected_customer_user_id'],
      });
    }
    expect(await linkOf()).toEqual(before);
    expect(await exchange('Robin')).toMatchObject({
      status: 201,
      body: { customer_user: { id: 'Robin' } },
    });
    expect(errorOf(await exchange('Alex'))).toMatchObject({ status: 400 });
  });

  it('cannot be exchanged after the link was deleted', async () => {
    const finished = await finishedSession(service, token);
    const link = await service.database.prisma.link.findFirstOrThrow({
      where: { sessions: { some: { sessionId: finished.sessionId } } },
    });
    expect((await service.api.as(token).delete(`/links/${link.linkId}`)).status).toBe(204);
    const late = await service.api.as(token).post('/link-session/exchange-token', {
      json: { exchangeable_token: finished.exchangeableToken },
    });
    expect(errorOf(late)).toMatchObject({
      status: 400,
      code: 'link_session_error.invalid_token_exchange',
    });
    expect(
      errorOf(await service.api.as(finished.connectToken).get('/connect/api/session')),
    ).toMatchObject({ status: 410, code: 'connect_error.session_closed' });
  });
});

describe('Long polling of a session', () => {
  it.each([
    ['wait=21', 'query.wait'],
    ['wait=-1', 'query.wait'],
    ['after_seq=x', 'query.after_seq'],
  ])('refuses %s', async (query, location) => {
    expect(errorOf(await connect.get(`/connect/api/session?${query}`))).toEqual({
      status: 422,
      code: invalid,
      locations: [location],
    });
  });

  it('returns as soon as the step changes', async () => {
    const started = Date.now();
    const waiting = connect.get('/connect/api/session?after_seq=1&wait=20');
    await connect.get('/connect/api/session');
    await service.steps.show(session.sessionId, 2, {
      kind: 'wait',
      stage: 'connecting',
      can_cancel: false,
    });
    expect(viewOf(await waiting)).toMatchObject({
      seq: 2,
      step: { kind: 'wait', stage: 'connecting' },
    });
    // The call would otherwise wait for 20 s.
    expect(Date.now() - started).toBeLessThan(19_000);
  });

  it('returns the current view at the end of the wait, and session_moved when the window has lost the session', async () => {
    expect(viewOf(await connect.get('/connect/api/session?after_seq=1&wait=1'))).toMatchObject({
      seq: 1,
    });
    const waiting = connect.get('/connect/api/session?after_seq=1&wait=20');
    await connect.get('/connect/api/session');
    await open({ link_session_token: session.linkSessionToken });
    expect(errorOf(await waiting)).toMatchObject({
      status: 409,
      code: 'connect_error.session_moved',
    });
  });
});

describe('The institution search of a session', () => {
  it('returns only institutions the session may use, and refuses invalid parameters', async () => {
    const found = async (query: string) =>
      (await connect.get(`/connect/api/institutions?${query}`)).body as {
        institutions: { institution_id: string }[];
        cursor: unknown;
      };
    expect(await found('q=sandbox')).toMatchObject({
      institutions: [{ institution_id: BANK }],
      cursor: { next: null },
    });
    expect(await found('q=&country=GB')).toMatchObject({ institutions: [] });
    for (const [query, location] of [
      ['limit=51', 'query.limit'],
      ['limit=0', 'query.limit'],
      ['cursor=x', 'query.cursor'],
      ['country=CH', 'query.country'],
      [`q=${'x'.repeat(101)}`, 'query.q'],
      ['q=%00', 'query.q'],
    ]) {
      expect(errorOf(await connect.get(`/connect/api/institutions?${query}`))).toEqual({
        status: 422,
        code: invalid,
        locations: [location],
      });
    }
  });
});

describe('CORS of the session calls', () => {
  it('allows only the origin of the hosted app', async () => {
    const allowed = async (origin: string) =>
      (
        await service.api.send('OPTIONS', '/connect/api/session', {
          headers: { origin, 'access-control-request-method': 'GET' },
        })
      ).headers.get('access-control-allow-origin');
    expect(await allowed('http://127.0.0.1:4000')).toBe('http://127.0.0.1:4000');
    expect(await allowed('https://evil.example')).toBeNull();
  });
});

describe('A link of a finished session', () => {
  it('is connected by the exchange, and its accounts can be read', async () => {
    const linkId = await connectedLink(service, token);
    const { body } = await service.api.as(token).get(`/links/${linkId}/accounts`);
    expect(body).toMatchObject({
      accounts: [
        {
          balances: {
            currency: 'USD',
            available: 2210.52,
            current: 2350,
            limit: null,
            balance_date: null,
          },
        },
        { name: 'Rainy Day Savings' },
      ],
      link: {
        link_id: linkId,
        state: 'connected',
        institution_avatar: `http://127.0.0.1:4000/institutions/${BANK}/avatar.svg`,
      },
    });
  });
});
