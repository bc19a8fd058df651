import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose';
import { Codec, sealed, SECRET, textsOf, UI, wire } from './support/codec.js';

const ISSUER = 'https://login.example';
const AUDIENCE = 'tributary-codec';

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
    const answer = await server.send({
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
    const answer = await server.send({ headers, body: await sealed() });
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
    const answer = await server.send({ headers, body: await sealed() });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: '' });
  });

  it('refuses a valid token from a page of another origin', async () => {
    const headers = { authorization: `Bearer ${await sign()}`, origin: 'https://evil.example' };
    const answer = await server.send({ headers, body: await sealed() });
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
    expect((await closed.send({ headers, body: await sealed() })).status).toBe(503);
    await closed.close();
  });

  it('allows the UI to send tokens, and no other page', async () => {
    const preflight = (origin: string) => server.send({ method: 'OPTIONS', headers: { origin } });
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
    const answer = await server.send({
      headers: { authorization: `Bearer ${await sign()}` },
      body,
    });
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
    expect((await server.send({ headers, body })).status).toBe(400);
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
    expect((await server.send({ headers, body })).status).toBe(status);
  });

  it.each([
    ['a payload of another namespace', 'other', 'default'],
    ['a request for another namespace', 'default', 'other'],
  ])('does not decode %s, and logs it', async (_what, namespace, asked) => {
    server.lines = [];
    const headers = { authorization: `Bearer ${await sign()}`, 'x-namespace': asked };
    expect((await server.send({ headers, body: await sealed(namespace) })).status).toBe(400);
    expect(server.lines).toMatchObject([{ msg: 'codec.not_decoded', actor: 'ann@example.com' }]);
  });

  it('supports only decoding, by POST of JSON', async () => {
    const headers = { authorization: `Bearer ${await sign()}` };
    const body = await sealed();
    expect((await server.send({ path: '/encode', headers, body })).status).toBe(404);
    expect((await server.send({ method: 'GET', headers })).status).toBe(405);
    expect(
      (await server.send({ headers: { ...headers, 'content-type': 'text/plain' }, body })).status,
    ).toBe(415);
  });
});
