import { randomUUID } from 'node:crypto';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  BANK,
  clientId,
  clientSecret,
  connectedLink,
  openSession,
  startApiInProcess,
  type ApiInProcess,
  type AppId,
  type OpenedSession,
} from '../../support/services/api-in-process.js';
import { OAUTH_BANK } from '../../support/services/row-steps.js';
import { eventually } from '../../support/assertions/eventually.js';
import { PATIENT } from './support/patient-database.js';

const SHARE = 2;
/** More calls than the API has database connections. */
const CALLS_AT_ONCE = 40;
/** More than the share. */
const POLLS = 5;
/** The longest that a poll may last. */
const POLL_SECONDS = 20;
let service: ApiInProcess;
let token: string;
let linkId: string;
let rival: string;
beforeAll(async () => {
  service = await startApiInProcess(
    {
      DATABASE_CONNECTIONS_PER_APP: String(SHARE),
      RATE_LIMIT_COMPAT: 'off',
      RATE_LIMIT_TOKEN: '1000/s:1000',
      BASE_URL: 'https://api.example',
    },
    { databaseTimeouts: PATIENT },
  );
  token = await service.token('pocket-ledger');
  linkId = await connectedLink(service, token);
  rival = await service.token('rival');
  // Both tokens are cached from now on.
  for (const known of [token, rival]) await service.api.get('/links', { token: known });
});
afterAll(async () => {
  await service?.close();
});

async function waitingStatements(): Promise<number> {
  const {
    rows: [row],
  } = await service.database.pool.query<{ count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return Number(row?.count);
}

/** Calls of one app that wait for the same row. */
interface Contention {
  /** Locks the row. */
  lock: string;
  values: unknown[];
  call(index: number): Promise<ApiResponse>;
}

const changesOfOneLink = (api = service.api): Contention => ({
  lock: 'SELECT 1 FROM links WHERE link_id = $1 FOR UPDATE',
  values: [linkId],
  call: (index) => api.send('PATCH', `/links/${linkId}`, { token, json: { tags: [`n:${index}`] } }),
});

/** Sends such calls, runs `meanwhile` while they wait, and returns their responses. */
async function whileCallsWait(
  meanwhile: (calls: Promise<ApiResponse>[]) => Promise<void>,
  { lock, values, call } = changesOfOneLink(),
): Promise<ApiResponse[]> {
  const holder = await service.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, values);
    const calls = Array.from({ length: CALLS_AT_ONCE }, (_, index) => call(index));
    try {
      await eventually(async () => expect(await waitingStatements()).toBeGreaterThanOrEqual(SHARE));
      await meanwhile(calls);
    } finally {
      await holder.query('COMMIT');
    }
    return await Promise.all(calls);
  } finally {
    holder.release();
  }
}

describe('An app whose calls wait for the database', () => {
  it('does not delay the calls of another app, and receives every response in the end', async () => {
    const responses = await whileCallsWait(async () => {
      for (let time = 0; time < 5; time += 1) {
        expect(await service.api.get('/links', { token: rival })).toMatchObject({ status: 200 });
      }
    });
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('has all of its further calls, of any kind, wait', async () => {
    const own = await callsOfAnyKind('pocket-ledger', token);
    const others = await callsOfAnyKind('rival', rival);
    const arrived: string[] = [];
    let responses: Promise<unknown> = Promise.resolve();
    await whileCallsWait(async () => {
      responses = Promise.all(
        Object.entries(own).map(async ([kind, call]) => {
          const { status } = await call();
          arrived.push(`${kind} ${status}`);
        }),
      );
      // Sent later, and with the same work.
      for (const call of Object.values(others)) expect((await call()).status).toBe(200);
      expect(arrived).toEqual([]);
    });
    await responses;
    expect(arrived.sort()).toEqual(['compatibility 200', 'connect 200', 'native 200']);
  });

  it('receives 429 with a reason and Retry-After for calls that waited too long', async () => {
    const { api, close } = await service.another({ ...PATIENT, turn: 1 });
    const responses = await whileCallsWait(async (calls) => {
      await Promise.any(
        calls.map(async (call) => {
          const response = await call;
          if (response.status !== 429) throw new Error(`returned ${response.status}`);
        }),
      );
    }, changesOfOneLink(api));
    await close();
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expect(errorOf(response)).toEqual({
        status: 429,
        code: 'api_error.rate_limit_exceeded',
        locations: [],
      });
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.text).toContain('waiting for the database');
    }
  });
});

/** Reads of an app through each of the APIs. */
async function callsOfAnyKind(app: AppId, accessToken: string) {
  const { connectToken } = await openSession(service, accessToken);
  const keys = { client_id: clientId(app, 'sandbox'), secret: clientSecret(app, 'sandbox') };
  return {
    native: () => service.api.get('/links', { token: accessToken }),
    connect: () => service.api.as(connectToken).get('/connect/api/institutions?q=bank'),
    compatibility: () =>
      fetch(`${service.api.baseUrl}/institutions/get_by_id`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...keys, institution_id: BANK, country_codes: ['US'] }),
      }),
  };
}

/** Calls whose app is known only once their body has been looked up. */
const NAMED_BY_THE_BODY: Record<string, () => Promise<Contention>> = {
  'POST /connect/api/session/open': async () => {
    const { sessionId, linkSessionToken } = await openSession(service, token);
    return onSession(sessionId, '/connect/api/session/open', {
      link_session_token: linkSessionToken,
    });
  },
  'POST /connect/api/session/reopen': async () => {
    const { sessionId, cookie, origin } = await hostedSession();
    return onSession(
      sessionId,
      '/connect/api/session/reopen',
      { session_id: sessionId, origin },
      { cookie },
    );
  },
  'POST /connect/api/session/resume': async () => {
    const { sessionId, address } = await sessionBackFromBank();
    return onSession(sessionId, '/connect/api/session/resume', { url: address });
  },
  'POST /auth/token': () => {
    const [id, secret] = [clientId, clientSecret].map((of) => of('pocket-ledger', 'sandbox'));
    return Promise.resolve({
      lock: 'SELECT 1 FROM token_call_buckets FOR UPDATE',
      values: [],
      call: () =>
        service.api.post('/auth/token', {
          form: { client_id: String(id), client_secret: String(secret) },
        }),
    });
  },
};

function onSession(
  sessionId: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Contention {
  const json = { request_id: randomUUID(), origin: 'https://app.example', ...fields };
  return {
    lock: 'SELECT 1 FROM link_sessions WHERE session_id = $1 FOR UPDATE',
    values: [sessionId],
    call: () => service.api.post(path, { json, headers }),
  };
}

/** A session of the hosted page, and the cookie of the browser that opened it. */
async function hostedSession(): Promise<{ sessionId: string; cookie: string; origin: string }> {
  const { origin } = new URL(service.connectBaseUrl);
  const created = await service.api.as(token).post('/link-session', {
    json: { customer_user: { id: 'user-4711' }, hosted: {} },
  });
  const session = created.body as { link_session_token: string; session_id: string };
  const { headers } = await service.api.post('/connect/api/session/open', {
    json: { link_session_token: session.link_session_token, request_id: randomUUID(), origin },
  });
  const [cookie = ''] = headers.getSetCookie()[0]?.split(';') ?? [];
  return { sessionId: session.session_id, cookie, origin };
}

/** A session whose user has returned from the bank to the page of the app, in another window. */
async function sessionBackFromBank(): Promise<{ sessionId: string; address: string }> {
  const { sessionId, seq, connectToken } = await openSession(service, token, {
    redirect_uri: 'https://app.example/bank-return',
  });
  const connect = service.api.as(connectToken);
  const post = async <T>(path: string, json: Record<string, unknown>): Promise<T> => {
    const request = { json: { ...json, request_id: randomUUID() } };
    return (await connect.post(`/connect/api/session/${path}`, request)).body as T;
  };
  const input = { kind: 'select_institution', institution_id: OAUTH_BANK };
  const step = await post<{ seq: number }>('step', { seq, input });
  const started = await post<{ authorize_url: string }>('oauth/start', {
    seq: step.seq,
    window: 'popup',
  });
  const query = new URLSearchParams({
    state: new URL(started.authorize_url).searchParams.get('state') ?? '',
    code: 'x',
    iss: 'https://bank.example',
  });
  const { headers } = await fetch(`${service.api.baseUrl}/connect/oauth/callback?${query}`, {
    redirect: 'manual',
  });
  return { sessionId, address: headers.get('location') ?? '' };
}

describe('An app that its calls name only in their body', () => {
  it.each(Object.entries(NAMED_BY_THE_BODY))(
    'does not delay the calls of another app: %s',
    async (_call, contention) => {
      const responses = await whileCallsWait(
        async () => {
          expect(await service.api.get('/links', { token: rival })).toMatchObject({ status: 200 });
          expect(await waitingStatements()).toBeLessThanOrEqual(SHARE);
        },
        await contention(),
      );
      const succeeded = responses.filter(({ status }) => status === 200 || status === 201);
      expect(succeeded.length).toBeGreaterThan(0);
    },
  );
});

describe('A call that waits for something other than the database', () => {
  it('uses no share of the database', async () => {
    // Again, should this computer take longer for one call than polls wait.
    await eventually(async () => {
      const sessions = await Promise.all(
        Array.from({ length: POLLS }, () => openSession(service, token)),
      );
      let returned = 0;
      const polls = sessions.map(async ({ connectToken, seq }) => {
        await service.api
          .as(connectToken)
          .get(`/connect/api/session?after_seq=${seq}&wait=${POLL_SECONDS}`);
        returned += 1;
      });
      const { status } = await service.api.get(`/links/${linkId}`, { token });
      const returnedBefore = returned;
      await Promise.all(sessions.map(selectBank));
      await Promise.all(polls);
      expect({ status, returnedBefore }).toEqual({ status: 200, returnedBefore: 0 });
    });
  });
});

/** A change of the session, with which its poll returns. */
const selectBank = ({ connectToken, seq }: OpenedSession) =>
  service.api.as(connectToken).post('/connect/api/session/step', {
    json: {
      seq,
      request_id: randomUUID(),
      input: { kind: 'select_institution', institution_id: BANK },
    },
  });

describe('A burst of the size that the general limit allows', () => {
  it('succeeds completely', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => service.api.get(`/links/${linkId}`, { token })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
