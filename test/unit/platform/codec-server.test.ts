import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrMakeLocalToken } from '../../../apps/platform/src/codec/local-token.js';
import { Codec, sealed, SECRET, textsOf, UI } from './support/codec.js';

/** An address of this machine that is not loopback. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

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
    const answer = await server.send({
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
    const answer = await server.send({ path, headers: { origin: UI }, body: await sealed() });
    expect({ status: answer.status, texts: textsOf(answer.text) }).toEqual({
      status: 200,
      texts: [`"${SECRET}"`],
    });
    const preflight = await server.send({ path, method: 'OPTIONS', headers: { origin: UI } });
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
    const answer = await server.send({
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
    const answer = await server.send({ headers, body: await sealed() });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 403, text: '' });
    expect(server.refused).toMatchObject([{ reason: 'passed on by a proxy' }]);
  });

  it.each([
    ['a page whose name leads to this machine', { host: 'rebound.evil:4004' }, 'wrong Host header'],
    ['a page of a stranger', { origin: 'https://evil.example' }, 'origin not allowed'],
  ])('refuses %s, even with the token', async (_who, headers, reason) => {
    server.refused.length = 0;
    const answer = await server.send({
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
    const answer = await server.send({
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
    const answer = await server.send({ path, headers: { authorization }, body: await sealed() });
    expect(answer.status).toBe(404);
  });
});

describe('The codec server without an issuer and without a token file', () => {
  it('serves no one', async () => {
    const server = await Codec.start({ kind: 'closed' });
    const answer = await server.send({ headers: {}, body: await sealed() });
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
    expect((await server.send({ headers, body })).status).toBe(200);
    expect(server.lines).toMatchObject([{ actor: 'anyone' }]);
    const origin = 'https://evil.example';
    expect((await server.send({ headers: { ...headers, origin }, body })).status).toBe(403);
    await server.close();
  });
});
