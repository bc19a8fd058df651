import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../apps/platform/src/config/settings.js';
import { createLogger } from '../../apps/platform/src/logging/logger.js';
import { openTemporalClient } from '../../apps/platform/src/temporal/temporal-client.js';
import { temporalPlace } from '../../apps/platform/src/temporal/temporal-place.js';
import { createCertificateAuthority } from '../../simulators/vendors/fdx/certificates/certificate-authority.js';
import { TemporalWorkers } from '../../apps/worker/src/temporal/temporal-workers.js';
import { eventually } from '../support/assertions/eventually.js';
import { testTemporalAddress } from '../support/services/embedded-services.js';
import { installRuntime } from '../support/services/test-temporal.js';
import {
  connect,
  constants,
  createSecureServer,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A Temporal frontend with TLS, in front of the server of the test run. */
interface TlsTemporal {
  address: string;
  /** The `authorization` headers that it has accepted. */
  readonly accepted: readonly string[];
  /** From now on only this key is accepted. */
  requireKey(key: string): void;
  close(): Promise<void>;
}

const GRPC_UNAUTHENTICATED = '16';

async function startTlsTemporal(address: string, tls: SecureServerOptions): Promise<TlsTemporal> {
  const sessions = new Set<{ destroy(): void }>();
  const accepted: string[] = [];
  let requiredKey: string | undefined;
  const server = createSecureServer(tls);
  server.on('session', (session) => {
    const upstream = connect(`http://${address}`);
    for (const end of [session, upstream]) {
      sessions.add(end);
      end.on('error', () => undefined);
    }
    session.once('close', () => upstream.destroy());
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      const { authorization } = headers;
      if (requiredKey !== undefined && authorization !== `Bearer ${requiredKey}`)
        return refuse(stream);
      if (authorization !== undefined) accepted.push(authorization);
      forward(stream, headers, upstream);
    });
  });
  server.on('sessionError', () => undefined);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    requireKey: (key) => (requiredKey = key),
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refuse = (stream: ServerHttp2Stream): void =>
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': GRPC_UNAUTHENTICATED,
      'grpc-message': 'Request unauthorized.',
    },
    { endStream: true },
  );

function forward(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  upstream: ClientHttp2Session,
): void {
  // The server of the test run accepts no credentials.
  const { authorization: _key, ...rest } = headers;
  const request = upstream.request({ ...rest, ':scheme': 'http' });
  let trailers: IncomingHttpHeaders = {};
  request.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  request.on('trailers', (received) => (trailers = received));
  request.on('response', (response, flags) => {
    if (stream.destroyed) return;
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(response, endStream ? { endStream } : { waitForTrailers: true });
    if (endStream) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    request.pipe(stream);
  });
  stream.on('close', () => request.close());
  stream.pipe(request);
}

const MASTER_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const KEY = 'canary-key-1';
const NEXT_KEY = 'canary-key-2';
const WITHOUT_TLS = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: undefined,
  TEMPORAL_TLS_CLIENT_CERT_PATH: undefined,
  TEMPORAL_TLS_CLIENT_KEY_PATH: undefined,
  TEMPORAL_API_KEY_FILE: undefined,
};
const folder = mkdtempSync(join(tmpdir(), 'tributary-tls-'));
let temporal: TlsTemporal;
let good: Record<string, string>;
let foreignCa: string;

beforeAll(async () => {
  installRuntime();
  const [ca, foreign] = [await createCertificateAuthority(), await createCertificateAuthority()];
  const client = await ca.issueForClient({ subject: 'CN=tributary' });
  const { key, certificate } = await ca.issueForServer('temporal.internal');
  temporal = await startTlsTemporal(testTemporalAddress(), {
    key,
    cert: certificate,
    requestCert: true,
    rejectUnauthorized: true,
    ca: ca.certificate,
  });
  good = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem', ca.certificate),
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', client.certificate),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', client.key),
    TEMPORAL_API_KEY_FILE: file('api-key', `${KEY}\n`),
  };
  temporal.requireKey(KEY);
  foreignCa = file('foreign.pem', foreign.certificate);
});

afterAll(async () => {
  await temporal?.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, contents: string): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

const placeOf = (env: Record<string, string | undefined>) =>
  temporalPlace(
    readSettings({ DATABASE_URL: 'postgresql://u:p@db/t', MASTER_KEYS, ...env }, 'api'),
  );

/** The reason why the client of an API or command cannot use the server; null if it can. */
async function clientReason(env: Record<string, string | undefined>): Promise<string | null> {
  const { masterKeys } = readSettings(
    { MASTER_KEYS, DATABASE_URL: 'postgresql://db/t' },
    'operator',
  );
  const client = openTemporalClient({ ...placeOf(env), masterKeys });
  await client.isAvailable();
  await client.close();
  return client.unavailableReason;
}

/** The same reason for a worker, from its log. */
async function workerReason(env: Record<string, string | undefined>): Promise<string | null> {
  const { workers, lines, close } = startWorkers(env);
  try {
    return await eventually(() => {
      if (workers.isRunning) return null;
      const waiting = lines.find(({ msg }) => msg === 'temporal.waiting');
      if (waiting === undefined) throw new Error('neither connected nor waiting');
      return String(waiting['reason']);
    });
  } finally {
    await close();
  }
}

function startWorkers(env: Record<string, string | undefined>) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger({
    name: 'worker',
    level: 'info',
    format: 'json',
    destination: { write },
  });
  const workers = new TemporalWorkers({
    ...placeOf(env),
    queues: [],
    shared: {},
    logger,
    clock: () => new Date(),
  });
  const ended = workers.run();
  const close = async () => {
    await workers.drain();
    await ended;
    await workers.close();
  };
  return { workers, lines, close };
}

describe.each([
  ['client', clientReason],
  ['worker', workerReason],
])('The %s of Temporal over TLS', (_title, reasonOf) => {
  it('connects with its CA, client certificate and API key', async () => {
    expect(await reasonOf(good)).toBeNull();
    expect(temporal.accepted).toContain(`Bearer ${KEY}`);
  });

  it('accepts a certificate for the configured name', async () => {
    const named = { ...good, TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' };
    expect(await reasonOf(named)).toBeNull();
  });

  it.each([
    [
      'a CA that did not sign the certificate of the server',
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: foreignCa }),
      'its certificate is signed by a CA that is not trusted: set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of that CA',
    ],
    [
      'a name that is not in the certificate',
      () => ({ TEMPORAL_TLS_SERVER_NAME: 'other.internal' }),
      'its certificate is for another name: set TEMPORAL_TLS_SERVER_NAME to a name in it',
    ],
    [
      'a missing client certificate',
      () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: undefined, TEMPORAL_TLS_CLIENT_KEY_PATH: undefined }),
      // rustls only sees that the connection was closed.
      expect.stringMatching(
        /^it .*client certificate that it trusts.*TEMPORAL_TLS_CLIENT_CERT_PATH/,
      ),
    ],
    [
      'a connection without TLS to a server that requires it',
      () => ({ ...WITHOUT_TLS, TEMPORAL_ADDRESS: temporal.address }),
      expect.stringMatching(/^it ended the connection: .*TEMPORAL_TLS=true/),
    ],
    [
      'a key that the server refuses',
      () => ({ TEMPORAL_API_KEY: 'canary-wrong', TEMPORAL_API_KEY_FILE: undefined }),
      'it refuses the API key in TEMPORAL_API_KEY or TEMPORAL_API_KEY_FILE',
    ],
    [
      'TLS to a server without it',
      () => ({ TEMPORAL_ADDRESS: testTemporalAddress() }),
      'it does not speak TLS, which TEMPORAL_TLS, a certificate or an API key turns on',
    ],
    [
      'an address where no server listens',
      () => ({ TEMPORAL_ADDRESS: '127.0.0.1:1' }),
      'no server listens at TEMPORAL_ADDRESS',
    ],
  ])('explains the problem with %s in one line', async (_case, changed, reason) => {
    expect(await reasonOf({ ...good, ...changed() })).toEqual(reason);
  });
});

describe('An API key in a file', () => {
  it('is read again by client and worker when it changes', async () => {
    const path = file('rotated-key', KEY);
    const env = { ...good, TEMPORAL_API_KEY_FILE: path };
    const { masterKeys } = readSettings(
      { MASTER_KEYS, DATABASE_URL: 'postgresql://db/t' },
      'operator',
    );
    const client = openTemporalClient({ ...placeOf(env), masterKeys });
    const { workers, lines, close } = startWorkers(env);
    await eventually(() => expect(workers.isRunning).toBe(true));
    expect(await client.isAvailable()).toBe(true);
    temporal.requireKey(NEXT_KEY);
    expect(await client.isAvailable()).toBe(false);
    file('rotated-key', `${NEXT_KEY}\n`);
    await eventually(async () => expect(await client.isAvailable()).toBe(true));
    await eventually(() =>
      expect(lines.map(({ msg }) => msg)).toContain('temporal.api_key_changed'),
    );
    expect(JSON.stringify(lines)).not.toContain('canary-key');
    await client.close();
    await close();
    temporal.requireKey(KEY);
  });
});
