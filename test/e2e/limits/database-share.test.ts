import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  BANK,
  clientId,
  clientSecret,
  connectedLink,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { eventually } from '../../support/assertions/eventually.js';

const SHARE = 2;
/** More calls than the API has database connections. */
const CALLS_AT_ONCE = 40;
/** Calls take longer under load; without its own share, a call would take 5 s and fail. */
const SOON_MS = 3_000;

let service: ApiInProcess;
let token: string;
let linkId: string;
let rival: string;
beforeAll(async () => {
  service = await startApiInProcess({
    DATABASE_CONNECTIONS_PER_APP: String(SHARE),
    RATE_LIMIT_COMPAT: 'off',
  });
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

/**
 * Sends calls whose statements wait for one row while `meanwhile` runs, and returns their
 * responses.
 */
async function whileCallsWait(
  meanwhile: (calls: Promise<ApiResponse>[]) => Promise<void>,
): Promise<ApiResponse[]> {
  const holder = await service.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM links WHERE link_id = $1 FOR UPDATE', [linkId]);
    const calls = Array.from({ length: CALLS_AT_ONCE }, (_, index) =>
      service.api.send('PATCH', `/links/${linkId}`, { token, json: { tags: [`n:${index}`] } }),
    );
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

const inTime = async <T>(call: Promise<T>): Promise<T | 'late'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), SOON_MS);
  });
  return Promise.race([call, late]).finally(() => clearTimeout(timer));
};

describe('An app whose calls wait for the database', () => {
  it('does not delay the calls of another app, and receives every response in the end', async () => {
    const responses = await whileCallsWait(async () => {
      for (let time = 0; time < 5; time += 1) {
        expect(await inTime(service.api.get('/links', { token: rival }))).toMatchObject({
          status: 200,
        });
      }
    });
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('has its further calls of every kind wait', async () => {
    const session = await openSession(service, token);
    const keys = {
      client_id: clientId('pocket-ledger', 'sandbox'),
      secret: clientSecret('pocket-ledger', 'sandbox'),
    };
    const arrived: string[] = [];
    const further = {
      native: () => service.api.get(`/links/${linkId}`, { token }),
      connect: () => service.api.as(session.connectToken).get('/connect/api/institutions?q=bank'),
      compatibility: () =>
        fetch(`${service.api.baseUrl}/institutions/get_by_id`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...keys, institution_id: BANK, country_codes: ['US'] }),
        }),
    };
    let responses: Promise<unknown> = Promise.resolve();
    await whileCallsWait(async () => {
      responses = Promise.all(
        Object.entries(further).map(async ([kind, call]) => {
          const { status } = await call();
          arrived.push(`${kind} ${status}`);
        }),
      );
      expect(await inTime(service.api.get('/links', { token: rival }))).toMatchObject({
        status: 200,
      });
      expect(arrived).toEqual([]);
    });
    await responses;
    expect(arrived.sort()).toEqual(['compatibility 200', 'connect 200', 'native 200']);
  });

  it('receives 503 with a reason and Retry-After for calls that waited too long', async () => {
    const responses = await whileCallsWait(async (calls) => {
      await Promise.any(
        calls.map(async (call) => {
          const response = await call;
          if (response.status !== 429) throw new Error(`returned ${response.status}`);
        }),
      );
    });
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

describe('A call that waits for something else', () => {
  it('uses no share of the database', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 5 }, () => openSession(service, token)),
    );
    let answered = 0;
    const polls = sessions.map(async ({ connectToken, seq }) => {
      await service.api.as(connectToken).get(`/connect/api/session?after_seq=${seq}&wait=2`);
      answered += 1;
    });
    expect(await inTime(service.api.get(`/links/${linkId}`, { token }))).toMatchObject({
      status: 200,
    });
    expect(answered).toBe(0);
    await Promise.all(polls);
  });
});

describe('A burst of the size that the general limit allows', () => {
  it('succeeds as a whole', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => service.api.get(`/links/${linkId}`, { token })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
