import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import { eventually } from '../../../support/assertions/eventually.js';

export const isThere = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args).status === 0;

interface Backend {
  server: Server;
  port: number;
  isReady: boolean;
  /** The duration of its readiness check. */
  delayMs: number;
  seen: IncomingHttpHeaders[];
}

export interface Ingress {
  spec: { rules: { host: string; http: { paths: { path: string }[] } }[] };
}

export interface Answer {
  status: number;
  backend: string;
}

interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Certificate, key and configuration of a proxy. */
export let folder: string;
export let certificate: string;
export let key: string;
const started: Backend[] = [];
export let backends: [Backend, Backend];
let proxy: ChildProcess | undefined;
let port: number;

/** Starts two backends, behind which a test starts a proxy. */
export function useBackends(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-proxies-'));
    // nginx serves under another account than the one that starts it.
    chmodSync(folder, 0o755);
    certificate = join(folder, 'certificate.pem');
    key = join(folder, 'key.pem');
    if (isThere('openssl', 'version')) {
      const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${certificate}`;
      execFileSync('openssl', words.split(' '), { stdio: 'ignore' });
      const both = readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8');
      writeFileSync(join(folder, 'proxy.pem'), both);
    }
    placeBehindProxy(await startBackend(), await startBackend());
  });

  afterEach(async () => {
    if (proxy === undefined) return;
    const ended = once(proxy, 'exit');
    if (proxy.exitCode === null && proxy.kill('SIGKILL')) await ended;
    proxy = undefined;
  });

  afterAll(() => {
    for (const { server } of started) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(folder, { recursive: true, force: true });
  });
}

/** The proxies that are started from now on serve these backends. */
export function placeBehindProxy(...two: [Backend, Backend]): void {
  backends = two;
}

/** A stand-in for an API: its readiness, and a call that names the responder. */
export async function startBackend(): Promise<Backend> {
  const backend: Backend = {
    server: createServer(),
    ...{ port: 0, isReady: true, delayMs: 0, seen: [] },
  };
  backend.server.on('request', ({ url, headers }, response) => {
    if (url !== '/health/ready') backend.seen.push(headers);
    const isProbe = url === '/health/ready';
    const status = isProbe && !backend.isReady ? 503 : 200;
    response.writeHead(status, { 'x-backend': String(backend.port) });
    setTimeout(() => response.end(), isProbe ? backend.delayMs : 0);
  });
  backend.server.listen(0, '127.0.0.1');
  await once(backend.server, 'listening');
  started.push(backend);
  backend.port = (backend.server.address() as AddressInfo).port;
  return backend;
}

/**
 * Starts a program with a file of deploy/proxy, in which addresses and paths are replaced by those
 * of this test.
 */
export async function start(
  program: string,
  file: string,
  changes: readonly [string | RegExp, string][],
  args: (path: string) => string[],
): Promise<void> {
  port = await freePort('127.0.0.1');
  let text = readFileSync(`deploy/proxy/${file}`, 'utf8');
  for (const [pattern, replacement] of changes) {
    if (text.search(pattern) === -1) throw new Error(`${file} has no ${String(pattern)}`);
    text = text.replaceAll(new RegExp(pattern, 'gm'), replacement);
  }
  const path = join(folder, file);
  writeFileSync(path, text.replaceAll('PORT', String(port)));
  proxy = spawn(program, args(path), { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  proxy.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = once(proxy, 'exit').then(() => Promise.reject(new Error(output)));
  ended.catch(() => undefined);
  const answers = eventually(
    () => call('/anything').then(({ status }) => expect(status).toBe(200)),
    { within: 30_000 },
  );
  await Promise.race([answers, ended]);
}

export const startHaproxy = (): Promise<void> =>
  start(
    'haproxy',
    'haproxy.cfg',
    [
      ['bind :8443', 'bind 127.0.0.1:PORT'],
      ['/run/secrets/', `${folder}/`],
      ['server api api:4000', `server api 127.0.0.1:${backends[0].port}`],
      ['server api-2 api-2:4000', `server api-2 127.0.0.1:${backends[1].port}`],
    ],
    (path) => ['-db', '-f', path],
  );

export const startNginx = (changes: readonly [string | RegExp, string][] = []): Promise<void> => {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    `pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon off; events {}`,
    `http { include ${folder}/nginx.conf;`,
    ...temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`),
    '}',
  ];
  writeFileSync(join(folder, 'main.conf'), main.join('\n'));
  return start(
    'nginx',
    'nginx.conf',
    [
      ['listen 443 ssl', 'listen 127.0.0.1:PORT ssl'],
      ['/etc/ssl/tributary/fullchain.pem', certificate],
      ['/etc/ssl/tributary/privkey.pem', key],
      ['/var/log/nginx/', `${folder}/`],
      ['10.0.0.11:4000', `127.0.0.1:${backends[0].port}`],
      ['10.0.0.12:4000', `127.0.0.1:${backends[1].port}`],
      ...changes,
    ],
    () => ['-c', join(folder, 'main.conf')],
  );
};

export function read(path: string, headers: Record<string, string> = {}): Promise<Page> {
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: '127.0.0.1', port, path, agent: false as const, rejectUnauthorized: false },
      headers: { host: 'tributary.example.com', ...headers },
    };
    get(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, body });
      });
    }).once('error', reject);
  });
}

export async function call(path: string, sent: Record<string, string> = {}): Promise<Answer> {
  const { status, headers } = await read(path, sent);
  return { status, backend: String(headers['x-backend']) };
}
