import { once } from 'node:events';
import {
  AuthenticationError,
  memoryStore,
  ServiceConnectionError,
  Tributary,
  type Attempt,
  type SyncStore,
} from '../../../clients/node/src/index.js';
import { stubbedClient } from './service-stub.js';

const link = () => Response.json({ link_id: 'mk_1' });

describe('The promise of a call of the Node client', () => {
  it('gives the result, and with its response its status, headers, request id and replay mark', async () => {
    const headers = {
      'service-request-id': 'r-1',
      'idempotency-replayed': 'true',
      etag: '"1"',
    };
    const { tributary } = stubbedClient(() => Response.json({ link_id: 'mk_1' }, { headers }));
    const call = tributary.links.get('mk_1');
    expect(await call).toEqual({ link_id: 'mk_1' });
    const { headers: received, ...response } = await call.withResponse();
    expect(response).toEqual({
      data: { link_id: 'mk_1' },
      status: 200,
      requestId: 'r-1',
      isReplayed: true,
    });
    expect(received.get('ETag')).toBe('"1"');
    const chained = call.then(({ link_id: id }) => id);
    expect(chained).not.toHaveProperty('withResponse');
    expect(await chained).toBe('mk_1');
  });

  it('rejects once, whichever of both is read', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const { tributary } = stubbedClient(() => new Response(null, { status: 404 }));
      await expect(tributary.links.get('mk_1').withResponse()).rejects.toMatchObject({
        status: 404,
      });
      await expect(tributary.links.get('mk_1')).rejects.toMatchObject({ status: 404 });
      await expect(tributary.links.get('')).rejects.toMatchObject({ code: 'configuration' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});

describe('A signal that many calls of the Node client share', () => {
  it('warns of no leak, and ends each of them', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    try {
      const abort = new AbortController();
      const { tributary, requests } = stubbedClient(() => new Promise(() => undefined));
      const calls = Array.from({ length: 40 }, () =>
        tributary.links.get('mk_1', { signal: abort.signal }),
      );
      while (requests.length < 40) await new Promise((resolve) => setImmediate(resolve));
      abort.abort(new Error('the user left'));
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ reason: new Error('the user left') });
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  });
});

describe('The wait of a call of the Node client for a token', () => {
  /** A client with a token call of the test. */
  const waiting = (respond: (attempt: number) => Promise<Response> | Response) => {
    let tokens = 0;
    const tributary = new Tributary({
      baseUrl: 'https://api.example',
      clientId: 'sandbox_1',
      clientSecret: 'canary-of-the-secret',
      fetch: async (address) => {
        if (!address.endsWith('/auth/token')) return link();
        tokens += 1;
        return respond(tokens);
      },
    });
    return { tributary, tokens: () => tokens };
  };
  const token = () => Response.json({ access_token: 'token', expires_in: 3_600 });
  const down = () => new Response(null, { status: 503, headers: { 'retry-after': '0' } });

  it('ends after the time of that call, while others wait on for the same request', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { tributary, tokens } = waiting(async () => {
      await held;
      return token();
    });
    const patient = tributary.links.get('mk_1');
    const hurried = tributary.links.get('mk_1', { timeout: 20, maxRetries: 0 });
    await expect(hurried).rejects.toMatchObject({ code: 'timeout' });
    await expect(hurried).rejects.toBeInstanceOf(ServiceConnectionError);
    release();
    expect(await patient).toEqual({ link_id: 'mk_1' });
    expect(tokens()).toBe(1);
  });

  it('has the retries of that call, in requests that all callers share', async () => {
    const { tributary, tokens } = waiting((attempt) => (attempt < 3 ? down() : token()));
    const [once, ...often] = await Promise.allSettled([
      tributary.links.get('mk_1', { maxRetries: 0 }),
      ...Array.from({ length: 20 }, () => tributary.links.get('mk_1', { maxRetries: 2 })),
    ]);
    expect(once).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    expect(new Set(often.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    expect(tokens()).toBe(3);
  });
});

describe('The hook for attempts', () => {
  it('changes nothing when it throws, and what it throws is logged', async () => {
    const written = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const attempts: Attempt[] = [];
    const { tributary } = stubbedClient(link, {
      onAttempt: (attempt) => {
        attempts.push(attempt);
        throw new Error('no disk');
      },
    });
    expect(await tributary.links.get('mk_1')).toEqual({ link_id: 'mk_1' });
    expect(attempts.map(({ path }) => path)).toEqual(['/auth/token', '/links/mk_1']);
    expect(written).toHaveBeenCalledTimes(2);
  });
});

describe('A refused scope', () => {
  it('is named by the error, empty if the service does not name it', async () => {
    const scopeAfter = async (challenge: string) => {
      const { tributary, tokens } = stubbedClient(
        () => new Response(null, { status: 401, headers: { 'www-authenticate': challenge } }),
      );
      const error = await tributary.links.get('mk_1').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(tokens()).toBe(1);
      return (error as AuthenticationError).requiredScope;
    };
    expect(await scopeAfter('Bearer error="insufficient_scope", scope="a:read"')).toBe('a:read');
    expect(await scopeAfter('Bearer error="insufficient_scope"')).toBe('');
    expect(await scopeAfter('Bearer error="invalid_token"')).toBeUndefined();
  });
});

describe('Exact money in results of the Node client', () => {
  const ROW = '{"transaction_id":"t","amount":12.50,"original":{"amount":0.1,"rate":null}}';
  const accounts = '{"accounts":[{"balances":{"current":9007199254740993.10,"limit":null}}],"n":7}';
  const page = `{"transactions":{"created":[${ROW}],"updated":[],"removed":[]},"cursor":{"next":"c"},"has_more":false}`;
  const respond = ({ path }: { path: string }) =>
    new Response(path.endsWith('/accounts') ? accounts : page);

  it('is the text of the wire on demand, and a number without', async () => {
    const { tributary } = stubbedClient(respond, { money: 'text' });
    const { accounts: rows, ...others } = await tributary.accounts.list('mk_1');
    const current: string | null | undefined = rows[0]?.balances.current;
    expect([current, rows[0]?.balances.limit, others]).toEqual([
      '9007199254740993.10',
      null,
      { n: 7 },
    ]);
    const store = memoryStore<'text'>();
    await tributary.transactions.syncInto('mk_1', store satisfies SyncStore<'text'>);
    expect(store.transactions('mk_1')).toEqual([
      { transaction_id: 't', amount: '12.50', original: { amount: '0.1', rate: null } },
    ]);
    const plain = stubbedClient(respond).tributary;
    const [account] = (await plain.accounts.list('mk_1')).accounts;
    expect(account?.balances.current).toBe(Number('9007199254740993.10'));
  });

  it('is refused as another form', () => {
    const make = () => new Tributary({ baseUrl: 'https://api.example', money: 'cents' as 'text' });
    expect(make).toThrow('money must be number or text');
  });
});

it('A stream of the Node client ends its request when its reader leaves', async () => {
  let ended: AbortSignal | undefined;
  let cancelled = false;
  const { tributary } = stubbedClient(({ signal }) => {
    ended = signal ?? undefined;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(8)),
      cancel: () => {
        cancelled = true;
      },
    });
    return new Response(body);
  });
  const abort = new AbortController();
  const left = await tributary.links.export('mk_1', { format: 'csv' });
  await left.cancel();
  expect(cancelled).toBe(true);
  const aborted = await tributary.links.export('mk_1', { format: 'csv' }, { signal: abort.signal });
  const reader = aborted.getReader();
  await reader.read();
  const ending = once(ended as unknown as EventTarget, 'abort');
  abort.abort(new Error('the user left'));
  await ending;
  await expect(reader.read()).rejects.toThrow('the user left');
});
