import { randomUUID } from 'node:crypto';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { openTcpGate, type TcpGate } from '../../support/services/tcp-gate.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  finishedSession,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { retryUnavailable } from '../../support/actors/retry-unavailable.js';
import { eventually } from '../../support/assertions/eventually.js';

const select = (seq: number) => ({
  json: {
    seq,
    request_id: randomUUID(),
    input: { kind: 'select_institution', institution_id: BANK },
  },
});

describe('Without the database', () => {
  let gate: TcpGate;
  let service: ApiInProcess;

  beforeAll(async () => {
    service = await startApiInProcess(
      {},
      {
        route: async (databaseUrl) => {
          const url = new URL(databaseUrl);
          gate = await openTcpGate({ host: url.hostname, port: Number(url.port) });
          url.port = String(gate.port);
          url.hostname = '127.0.0.1';
          return url.href;
        },
      },
    );
  });

  afterAll(async () => {
    gate?.set('open');
    await service?.close();
    await gate?.close();
  });

  it('every call returns 503 with Retry-After, and works again when the database is back', async () => {
    const token = await service.token('pocket-ledger');
    const session = await openSession(service, token);
    const linkId = await connectedLink(service, token);
    gate.set('cut');
    const calls = [
      await service.api.post('/auth/token', {
        form: { client_id: 'sandbox_pocket-ledger', client_secret: 'x' },
      }),
      await service.api.post('/link-session', { token, json: { customer_user: { id: 'u' } } }),
      await service.api.post('/link-session/exchange-token', {
        token,
        json: { exchangeable_token: 'x' },
      }),
      await service.api.get(`/links/${linkId}/transactions/sync`, { token }),
      await service.api.get('/links', { token: 'another' }),
    ];
    for (const response of calls) {
      expect(errorOf(response)).toEqual({
        status: 503,
        code: 'api_error.unavailable',
        locations: [],
      });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(response.text).not.toMatch(/ECONN|postgres|:5432|prisma/i);
    }
    const step = await service.api
      .as(session.connectToken)
      .post('/connect/api/session/step', select(session.seq));
    expect(errorOf(step)).toMatchObject({ status: 503, code: 'connect_error.unavailable' });
    expect((await service.api.get('/health/live')).status).toBe(200);
    expect(await service.api.get('/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', parts: { database: 'down' } },
    });

    gate.set('open');
    await eventually(async () =>
      expect((await service.api.get(`/links/${linkId}`, { token })).status).toBe(200),
    );
    // A connection of the pool that was cut may still be there.
    const again = select(session.seq);
    const answered = await retryUnavailable(() =>
      service.api.as(session.connectToken).post('/connect/api/session/step', again),
    );
    expect(answered.status).toBe(200);
  });
});

describe('Without Temporal', () => {
  let service: ApiInProcess;
  let token: string;

  beforeAll(async () => {
    service = await startApiInProcess({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    token = await service.token('pocket-ledger');
  });

  afterAll(async () => {
    await service?.close();
  });

  /** A session that was opened and linked while Temporal was running. */
  async function finishedEarlier() {
    const { body } = await service.api.as(token).post('/link-session', {
      json: { customer_user: { id: 'u' }, settings: { products: ['transactions'] } },
    });
    const { link_session_token: linkSessionToken } = body as { link_session_token: string };
    const { session_id: sessionId } = await sessionOf(linkSessionToken);
    const sessions = service.steps.sessions;
    const record = await sessions.get(sessionId);
    if (record === null) throw new Error('the session was not found');
    await service.steps.open(record);
    const opened = await sessions.open(sessionId);
    if (opened === null) throw new Error('the session was not opened');
    return {
      sessionId,
      linkSessionToken,
      connect: service.api.as(opened.connectToken),
      session: opened.session,
    };
  }

  async function sessionOf(linkSessionToken: string): Promise<{ session_id: string }> {
    const found = await service.steps.sessions.findByToken(linkSessionToken);
    return { session_id: found?.sessionId ?? '' };
  }

  it('steps return 503 with Retry-After, while reads, the result and the exchange work', async () => {
    const { connect, linkSessionToken, session } = await finishedEarlier();
    const openAgain = () =>
      service.api.post('/connect/api/session/open', {
        json: {
          link_session_token: linkSessionToken,
          request_id: randomUUID(),
          origin: null,
          platform: 'ios',
        },
      });
    const exit = () =>
      connect.post('/connect/api/session/exit', {
        json: { request_id: randomUUID(), reason: 'user_closed' },
      });
    for (const response of [
      await openAgain(),
      await connect.post('/connect/api/session/step', select(1)),
      await exit(),
    ]) {
      expect(errorOf(response)).toEqual({
        status: 503,
        code: 'connect_error.unavailable',
        locations: [],
      });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await connect.get('/connect/api/session')).body).toMatchObject({
      seq: 1,
      step: { kind: 'select_institution' },
    });
    expect((await connect.get('/connect/api/institutions')).status).toBe(200);

    await service.steps.submit(session, {
      seq: 1,
      requestId: randomUUID(),
      input: { kind: 'select_institution', institution_id: BANK },
    });
    const finished = await connect.post('/connect/api/session/finish', {
      json: { request_id: randomUUID() },
    });
    const { exchangeable_token: exchangeableToken } = finished.body as {
      exchangeable_token: string;
    };
    const exchanged = await service.api
      .as(token)
      .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeableToken } });
    expect(exchanged).toMatchObject({
      status: 201,
      body: { link: { state: 'connected' }, customer_user: { id: 'u' } },
    });
    const { link_id: linkId } = exchanged.body as { link_id: string };
    for (const read of ['', '/accounts', '/transactions', '/transactions/sync'])
      expect((await service.api.get(`/links/${linkId}${read}`, { token })).status).toBe(200);
    expect((await service.api.delete(`/links/${linkId}`, { token })).status).toBe(204);
    expect(await service.api.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'degraded', parts: { database: 'up', temporal: 'down' } },
    });
  });
});

describe('Sandbox calls without Temporal', () => {
  let service: ApiInProcess;
  beforeAll(async () => {
    service = await startApiInProcess({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  });
  afterAll(() => service?.close());

  it('return 503 with Retry-After when they must reach the bank, and change nothing', async () => {
    const api = service.api.as(await service.token('pocket-ledger'));
    const { body: world } = await api.post('/sandbox/worlds', {
      json: { start: '2026-03-01T00:00:00.000', seed: 7 },
    });
    const { world_id: worldId } = world as { world_id: string };
    const calls = [
      await api.post('/sandbox/link', { json: { institution_id: BANK } }),
      await api.post(`/sandbox/institutions/${BANK}/faults`, { json: { kind: 'server_error' } }),
      await api.get(`/sandbox/institutions/${BANK}/faults`),
      await api.post(`/sandbox/worlds/${worldId}/advance`, { json: { by: 'P1D' } }),
    ];
    for (const response of calls) {
      expect(errorOf(response)).toEqual({
        status: 503,
        code: 'api_error.unavailable',
        locations: [],
      });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await api.get(`/sandbox/worlds/${worldId}`)).body).toEqual(world);
    expect(await service.database.prisma.link.count()).toBe(0);
    expect(
      await service.database.prisma.linkSession.count({
        where: { state: { in: ['created', 'open'] } },
      }),
    ).toBe(0);
    expect(await service.database.prisma.sandboxRequest.count()).toBe(0);
  });
});

describe('A process that stops', () => {
  it('responds to open long polls at once with the current step', async () => {
    const service = await startApiInProcess();
    const session = await openSession(service, await service.token('pocket-ledger'));
    const connect = service.api.as(session.connectToken);
    const waiting = connect.get('/connect/api/session?after_seq=1&wait=20');
    await connect.get('/connect/api/session');
    const closed = service.close();
    expect(await soonerThan(19_000, waiting)).toMatchObject({ status: 200, body: { seq: 1 } });
    await closed;
    await expect(service.api.get('/health/live')).rejects.toThrow();
  });

  it('completes a request in progress', async () => {
    const service = await startApiInProcess();
    const token = await service.token('pocket-ledger');
    const { sessionId, exchangeableToken } = await finishedSession(service, token);
    const holder = await service.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM link_sessions WHERE session_id = $1 FOR UPDATE', [sessionId]);
    const exchange = service.api
      .as(token)
      .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeableToken } });
    await eventually(async () => {
      const { rows } = await service.database.pool.query(
        'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1',
        ['Lock'],
      );
      expect(rows).not.toEqual([]);
    });
    const closed = service.close();
    await eventually(() => expect(service.api.get('/health/live')).rejects.toThrow());
    await holder.query('COMMIT');
    expect((await exchange).status).toBe(201);
    await closed;
  });
});
