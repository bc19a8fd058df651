import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose';
import type { CodecAccess } from '../../../apps/platform/src/codec/codec-callers.js';
import { startCodecServer } from '../../../apps/platform/src/codec/codec-server.js';
import { readOrMakeLocalToken } from '../../../apps/platform/src/codec/local-token.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import type { SmallServer } from '../../../apps/platform/src/process/small-server.js';
import type { RefusedSignIn } from '../../../apps/platform/src/sign-ins/refused-sign-ins.js';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';

const UI = 'https://temporal.example';
const ISSUER = 'https://login.example';
const AUDIENCE = 'tributary-codec';
const codec = new EncryptingPayloadCodec([{ id: 'k1', key: randomBytes(32) }]);
const SECRET = 'ses_canary';

interface Asked {
  host?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

class Codec {
  readonly refused: RefusedSignIn[] = [];
  lines: Record<string, unknown>[] = [];
  private server!: SmallServer;

  static async start(access: CodecAccess, host = '127.0.0.1'): Promise<Codec> {
    const started = new Codec();
    const write = (line: string) => started.lines.push(JSON.parse(line) as Record<string, unknown>);
    started.server = await startCodecServer({
      host,
      port: 0,
      access,
      origins: [UI],
      codec,
      namespace: 'default',
      logger: createLogger({ name: 'test', level: 'info', format: 'json', destination: { write } }),
      refusals: { note: (refusal) => started.refused.push(refusal) },
    });
    return started;
  }

  /** Uses `node:http`, since fetch refuses to send a Host header of the caller's choice. */
  ask({ host = '127.0.0.1', method = 'POST', path = '/decode', headers = {}, body }: Asked = {}) {
    return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
      (resolve, reject) => {
        const sent = httpRequest(
          {
            host,
            port: this.server.port,
            method,
            path,
            headers: { 'content-type': 'application/json', ...headers },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                text: Buffer.concat(chunks).toString(),
                headers: response.headers,
              }),
            );
          },
        );
        sent.on('error', reject);
        sent.end(body);
      },
    );
  }

  close = () => this.server.close();
}

const wire = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');

async function sealed(namespace = 'default'): Promise<string> {
  const payload = {
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(`"${SECRET}"`),
  };
  const encoded = await codec.encode([payload], {
    type: 'workflow',
    namespace,
    workflowId: 'link-session/1',
  });
  return JSON.stringify({
    payloads: encoded.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, wire(value)]),
      ),
      data: wire(data),
    })),
  });
}

const textsOf = (body: string): string[] =>
  (JSON.parse(body) as { payloads: { data: string }[] }).payloads.map(({ data }) =>
    Buffer.from(data, 'base64').toString(),
  );

/** An address of this machine that is not loopback. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('The codec server with tokens of an issuer', () => {
  let server: Codec;
  let issuer: Server;
  let sign: (claims?: JWTPayload, expires?: string) => Promise<string>;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const stranger = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
    issuer = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.address() as AddressInfo;
    server = await Codec.start({
      kind: 'tokens',
      jwksUrl: `http://127.0.0.1:${port}/keys`,
      issuer: ISSUER,
      audience: AUDIENCE,
    });
    const claims = (more: JWTPayload = {}) => ({
      sub: 'ann@example.com',
      iss: ISSUER,
      aud: AUDIENCE,
      ...more,
    });
    const header = { alg: 'RS256', kid: 'key-1' };
    const token = (more: JWTPayload, expires: string) =>
      new SignJWT(claims(more)).setProtectedHeader(header).setExpirationTime(expires);
    sign = (more = {}, expires = '5m') => token(more, expires).sign(privateKey);
    tokens['of a stranger'] = await token({}, '5m').sign(stranger.privateKey);
    tokens['with alg none'] = new UnsecuredJWT(claims()).setExpirationTime('5m').encode();
    tokens['HS256 with the public key'] = await new SignJWT(claims())
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(Buffer.from(await exportSPKI(publicKey)));
    tokens['of another issuer'] = await sign({ iss: 'https://login.evil' });
    tokens['for another service'] = await sign({ aud: 'another-service' });
    tokens['expired'] = await sign({}, '-1h');
    tokens['without a subject'] = await sign({ sub: undefined });
    tokens['not yet valid'] = await sign({ nbf: Math.floor(Date.now() / 1_000) + 3_600 });
    tokens['without an end'] = await new SignJWT(claims())
      .setProtectedHeader(header)
      .sign(privateKey);
    tokens['garbage'] = 'not.a.token';
  });
  afterAll(async () => {
    await server.close();
    await new Promise((resolve) => issuer.close(resolve));
  });

  it('decodes for the holder of a valid token, and logs the holder and the number of payloads', async () => {
    server.lines = [];
    const authorization = `Bearer ${await sign()}`;
    const answer = await server.ask({
      headers: { authorization, origin: UI, 'x-namespace': 'default' },
      body: await sealed(),
    });
    expect({ status: answer.status, texts: textsOf(answer.text) }).toEqual({
      status: 200,
      texts: [`"${SECRET}"`],
    });
    expect(answer.headers['access-control-allow-origin']).toBe(UI);
    expect(server.lines).toMatchObject([
      { msg: 'codec.decoded', actor: 'ann@example.com', namespace: 'default', payloads: 1 },
    ]);
    expect(JSON.stringify(server.lines)).not.toContain(SECRET);
  });

  it.each([
    ['of a stranger', 'not signed by the issuer'],
    ['with alg none', 'algorithm not allowed'],
    ['HS256 with the public key', 'algorithm not allowed'],
    ['of another issuer', 'wrong iss in the token'],
    ['for another service', 'wrong aud in the token'],
    ['expired', 'expired token'],
    ['without a subject', 'wrong sub in the token'],
    ['not yet valid', 'wrong nbf in the token'],
    ['without an end', 'wrong exp in the token'],
    ['garbage', 'not a signed token'],
  ])('refuses a token %s and logs the reason', async (kind, reason) => {
    server.refused.length = 0;
    const headers = { authorization: `Bearer ${tokens[kind]}`, origin: UI };
    const answer = await server.ask({ headers, body: await sealed() });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: '' });
    expect(server.refused).toEqual([
      { actor: 'unknown', door: 'codec', address: '127.0.0.1', reason },
    ]);
  });

  it.each([
    ['nothing', {}],
    ['only the Origin of the UI', { origin: UI }],
    ['Basic authentication', { authorization: 'Basic YW5uOnNlY3JldA==' }],
    ['a forwarded loopback address', { 'x-forwarded-for': '127.0.0.1' }],
  ])('refuses a caller on the same machine that sends %s', async (_what, headers) => {
    const answer = await server.ask({ headers, body: await sealed() });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: '' });
  });

  it('refuses a valid token from a page of another origin', async () => {
    const headers = { authorization: `Bearer ${await sign()}`, origin: 'https://evil.example' };
    const answer = await server.ask({ headers, body: await sealed() });
    expect({
      status: answer.status,
      text: answer.text,
      accessControlAllowOrigin: answer.headers['access-control-allow-origin'],
    }).toEqual({ status: 403, text: '', accessControlAllowOrigin: undefined });
  });

  it('reports that it cannot check tokens while the key set of the issuer is not reachable', async () => {
    const closed = await Codec.start({
      kind: 'tokens',
      jwksUrl: 'http://127.0.0.1:1/keys',
      issuer: ISSUER,
      audience: AUDIENCE,
    });
    const headers = { authorization: `Bearer ${await sign()}` };
    expect((await closed.ask({ headers, body: await sealed() })).status).toBe(503);
    await closed.close();
  });

  it('allows the UI to send tokens, and no other page', async () => {
    const preflight = (origin: string) => server.ask({ method: 'OPTIONS', headers: { origin } });
    const allowed = await preflight(UI);
    expect(allowed.status).toBe(204);
    expect(allowed.headers['access-control-allow-headers']).toMatch(/x-namespace,authorization/);
    expect((await preflight('https://evil.example')).status).toBe(403);
  });

  it.each([
    ['{"payloads":[]}', 'as the UI sends it'],
    ['{}', 'as the CLI sends it'],
  ])('returns an empty list for an empty list (%s, %s)', async (body) => {
    server.lines = [];
    const answer = await server.ask({ headers: { authorization: `Bearer ${await sign()}` }, body });
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 200,
      text: '{"payloads":[]}',
    });
    expect(server.lines).toMatchObject([{ msg: 'codec.decoded', payloads: 0 }]);
  });

  it.each([
    ['a body that is not JSON', `{${SECRET}`],
    ['a body that is not an object', `["${SECRET}"]`],
    ['a body that is null', 'null'],
    ['payloads that are no list', `{"payloads":"${SECRET}"}`],
    ['more payloads than it decodes at once', JSON.stringify({ payloads: Array(5_001).fill({}) })],
  ])('refuses %s, and logs the sender without the contents', async (_what, body) => {
    server.lines = [];
    const headers = { authorization: `Bearer ${await sign()}` };
    expect((await server.ask({ headers, body })).status).toBe(400);
    expect(server.lines).toMatchObject([
      { msg: 'codec.not_decoded', actor: 'ann@example.com', reason: 'unreadable body' },
    ]);
    expect(JSON.stringify(server.lines)).not.toContain(SECRET);
  });

  it.each([
    [
      'foreign bytes',
      JSON.stringify({
        payloads: [{ metadata: { encoding: wire(Buffer.from('binary/encrypted')) }, data: 'AAAA' }],
      }),
      400,
    ],
    ['a body of more than 4 MiB', ' '.repeat(4 * 1024 * 1024 + 1), 413],
  ])('refuses %s', async (_what, body, status) => {
    const headers = {
      authorization: `Bearer ${await sign()}`,
      'content-length': String(body.length),
    };
    expect((await server.ask({ headers, body })).status).toBe(status);
  });

  it.each([
    ['a payload of another namespace', 'other', 'default'],
    ['a request for another namespace', 'default', 'other'],
  ])('does not decode %s, and logs it', async (_what, namespace, asked) => {
    server.lines = [];
    const headers = { authorization: `Bearer ${await sign()}`, 'x-namespace': asked };
    expect((await server.ask({ headers, body: await sealed(namespace) })).status).toBe(400);
    expect(server.lines).toMatchObject([{ msg: 'codec.not_decoded', actor: 'ann@example.com' }]);
  });

  it('supports only decoding, by POST of JSON', async () => {
    const headers = { authorization: `Bearer ${await sign()}` };
    const body = await sealed();
    expect((await server.ask({ path: '/encode', headers, body })).status).toBe(404);
    expect((await server.ask({ method: 'GET', headers })).status).toBe(405);
    expect(
      (await server.ask({ headers: { ...headers, 'content-type': 'text/plain' }, body })).status,
    ).toBe(415);
  });
});

describe('The codec server with the token of a file', () => {
  let server: Codec;
  let folder: string;
  let file: string;
  let authorization: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-codec-'));
    file = join(folder, 'made', 'codec-token');
    const token = readOrMakeLocalToken(file);
    authorization = `Bearer ${token}`;
    server = await Codec.start({ kind: 'local', token }, '0.0.0.0');
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('creates the file once, for the account of the process only', () => {
    const content = readFileSync(file, 'utf8');
    expect(content).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readOrMakeLocalToken(file)).toBe(content);
  });

  it.each([
    ['readable by others', 'A'.repeat(43), 0o640, /readable by other accounts/],
    ['without a token', 'short', 0o600, /holds no token/],
  ])('does not start with a file that is %s', (_what, content, mode, message) => {
    const path = join(folder, 'odd');
    writeFileSync(path, content, { mode });
    chmodSync(path, mode);
    expect(() => readOrMakeLocalToken(path)).toThrow(message);
  });

  it.each([
    ['a command', {}],
    ['localhost', { host: 'localhost:4004' }],
    ['the CLI without --namespace', { 'x-namespace': '' }],
  ])('decodes for %s on the same machine that sends the token', async (_who, headers) => {
    server.lines = [];
    const answer = await server.ask({
      headers: { authorization, ...headers },
      body: await sealed(),
    });
    expect({ status: answer.status, texts: textsOf(answer.text) }).toEqual({
      status: 200,
      texts: [`"${SECRET}"`],
    });
    expect(server.lines).toMatchObject([{ msg: 'codec.decoded', actor: 'local', payloads: 1 }]);
  });

  it('decodes for a UI whose address of the codec server holds the token', async () => {
    const path = `/${readOrMakeLocalToken(file)}/decode`;
    const answer = await server.ask({ path, headers: { origin: UI }, body: await sealed() });
    expect({ status: answer.status, texts: textsOf(answer.text) }).toEqual({
      status: 200,
      texts: [`"${SECRET}"`],
    });
    const preflight = await server.ask({ path, method: 'OPTIONS', headers: { origin: UI } });
    expect(preflight.status).toBe(204);
  });

  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['no token', {}, undefined, 'no token'],
    // A proxy on this machine that adds no header at all does the same, like the proxy_pass of
    // nginx.
    ['no token but a loopback Host', { host: '127.0.0.1:4004' }, undefined, 'no token'],
    ['only the Origin of the UI', { origin: UI }, undefined, 'no token'],
    ['another token', { authorization: 'Bearer guess' }, undefined, 'wrong local token'],
    ['another token in the path', {}, '/guess/decode', 'wrong local token'],
  ])('refuses a caller on the same machine that sends %s', async (_what, headers, path, reason) => {
    server.refused.length = 0;
    const answer = await server.ask({
      ...(path === undefined ? {} : { path }),
      headers,
      body: await sealed(),
    });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: '' });
    expect(server.refused).toMatchObject([{ reason }]);
  });

  it.each([
    ...['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto'],
    ...['X-Forwarded-Server', 'X-Real-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'True-Client-IP'],
    ...['CF-Connecting-IP', 'CF-Ray', 'CDN-Loop', 'Fastly-Client-IP', 'Fly-Client-IP'],
    ...['X-Original-URL', 'X-Envoy-External-Address', 'X-Amzn-Trace-Id', 'X-Azure-ClientIP'],
  ])('refuses a request with %s, which a proxy passed on, even with the token', async (name) => {
    server.refused.length = 0;
    const headers = { authorization, [name]: '127.0.0.1' };
    const answer = await server.ask({ headers, body: await sealed() });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 403, text: '' });
    expect(server.refused).toMatchObject([{ reason: 'passed on by a proxy' }]);
  });

  it.each([
    ['a page whose name leads to this machine', { host: 'rebound.evil:4004' }, 'wrong Host header'],
    ['a page of a stranger', { origin: 'https://evil.example' }, 'origin not allowed'],
  ])('refuses %s, even with the token', async (_who, headers, reason) => {
    server.refused.length = 0;
    const answer = await server.ask({
      headers: { authorization, ...headers },
      body: await sealed(),
    });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 403, text: '' });
    expect(server.refused).toMatchObject([{ reason }]);
  });

  const elsewhere = ownAddress === undefined ? it.skip : it;
  elsewhere.each([
    ['the token', {}],
    ['the token and the Host header of this machine', { host: '127.0.0.1:4004' }],
  ])('refuses a caller of another machine that sends %s', async (_what, headers) => {
    const answer = await server.ask({
      host: ownAddress,
      headers: { authorization, ...headers },
      body: await sealed(),
    });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 403, text: '' });
    expect(server.refused.at(-1)).toMatchObject({
      address: ownAddress,
      reason: 'not from this machine',
    });
  });

  it.each([
    '/Decode',
    '/decode/',
    '//decode',
    '/%64ecode',
    '/decode;x',
    '/x/../decode',
    '/./decode',
  ])('serves nothing at %s', async (path) => {
    const answer = await server.ask({ path, headers: { authorization }, body: await sealed() });
    expect(answer.status).toBe(404);
  });
});

describe('The codec server without an issuer and without a token file', () => {
  it('serves no one', async () => {
    const server = await Codec.start({ kind: 'closed' });
    const answer = await server.ask({ headers: {}, body: await sealed() });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 403, text: '' });
    expect(server.refused).toMatchObject([{ reason: 'no way to sign in is configured' }]);
    await server.close();
  });
});

describe('The codec server with CODEC_AUTH=none', () => {
  it('decodes for everyone who reaches it, but not for pages of other origins', async () => {
    const server = await Codec.start({ kind: 'none' });
    const body = await sealed();
    const headers = { 'x-forwarded-for': '203.0.113.7', host: 'codec.example' };
    expect((await server.ask({ headers, body })).status).toBe(200);
    expect(server.lines).toMatchObject([{ actor: 'anyone' }]);
    const origin = 'https://evil.example';
    expect((await server.ask({ headers: { ...headers, origin }, body })).status).toBe(403);
    await server.close();
  });
});
