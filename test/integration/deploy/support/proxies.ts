import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
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
  /** Requests of callers that an API would serve although they are for operators. */
  exposed: string[];
  /** Ends connections without a response. */
  isBroken: boolean;
}

/** The API serves one spelling of each path: test/e2e/http/exact-paths.test.ts. */
const FOR_OPERATORS = /^\/(health|metrics)([/?]|$)/;
/** Not a path of the API. */
export const UNKNOWN_PATH = '/hidden';

export interface Ingress {
  metadata: { name: string; annotations: Record<string, string> };
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

/** Certificate, key, configuration and logs of a proxy. */
export let folder: string;
let certificate: string;
let key: string;
const started: Backend[] = [];
export let backends: [Backend, Backend];
export let proxy: ChildProcess | undefined;
/** All that the proxy wrote to its standard output and error. */
export let output = '';
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
    // Not killed at once: the workers of nginx would outlive it.
    if (proxy.exitCode === null && proxy.kill('SIGTERM')) await ended;
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

/** A stand-in for an API: its readiness, and calls that name the responder. */
export async function startBackend(): Promise<Backend> {
  const backend: Backend = {
    server: createServer(),
    ...{ port: 0, isReady: true, delayMs: 0, seen: [], exposed: [], isBroken: false },
  };
  backend.server.on('request', ({ url = '', headers, socket }, response) => {
    const isProbe = url === '/health/ready' && headers['x-caller'] === undefined;
    if (!isProbe && backend.isBroken) return void socket.destroy();
    if (!isProbe) backend.seen.push(headers);
    if (!isProbe && FOR_OPERATORS.test(url)) backend.exposed.push(url);
    const status = url === UNKNOWN_PATH ? 404 : isProbe && !backend.isReady ? 503 : 200;
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
async function start(
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
  proxy = spawn(program, args(path), { stdio: ['ignore', 'pipe', 'pipe'] });
  output = '';
  for (const stream of [proxy.stdout, proxy.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
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
    `pid ${folder}/nginx.pid; error_log ${folder}/error.log info; daemon off; events {}`,
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
      ['10.0.0.11:4100', `127.0.0.1:${backends[0].port}`],
      ...changes,
    ],
    () => ['-c', join(folder, 'main.conf')],
  );
};

export const startCaddy = async (): Promise<void> => {
  const adminPort = await freePort('127.0.0.1');
  const site = (host: string) =>
    `https://${host}:PORT {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`;
  await start(
    'caddy',
    'Caddyfile',
    [
      [
        /^\{/m,
        `{\n\tadmin 127.0.0.1:${adminPort}\n\tauto_https off\n\tstorage file_system ${folder}/caddy`,
      ],
      [/^tributary\.example\.com \{/m, site('tributary.example.com')],
      [/^sandbox-bank\.example\.com \{/m, site('sandbox-bank.example.com')],
      ['10.0.0.11:4000', `127.0.0.1:${backends[0].port}`],
      ['10.0.0.12:4000', `127.0.0.1:${backends[1].port}`],
      ['10.0.0.11:4100', `127.0.0.1:${backends[0].port}`],
    ],
    (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  );
};

export const ingresses = (): Ingress[] =>
  parseAllDocuments(readFileSync('deploy/kubernetes/ingress.yaml', 'utf8')).map(
    (document) => document.toJS() as Ingress,
  );

/** The settings of ingress-nginx itself. */
export const controllerSettings = (): Record<string, string> => {
  const file = readFileSync('deploy/kubernetes/ingress-nginx/controller.yaml', 'utf8');
  return (parse(file) as { data: Record<string, string> }).data;
};

const HOST = 'tributary.example.com';
const ANNOTATION = 'nginx.ingress.kubernetes.io/';

/**
 * An nginx that is set up as ingress-nginx does it: an Ingress whose paths are replaced makes all
 * paths of its host regular expressions that ignore case, the longest first.
 */
export const startIngress = (): Promise<void> => {
  const locations = ingresses()
    .flatMap(({ metadata: { annotations }, spec }) => {
      const paths = spec.rules.find(({ host }) => host === HOST)?.http.paths ?? [];
      return paths.map(({ path }) => ({ path, annotations }));
    })
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ path, annotations }) => {
      const target = annotations[`${ANNOTATION}rewrite-target`];
      const rewrite = target === undefined ? '' : `rewrite "(?i)${path}" ${target} break; `;
      const isLogged = annotations[`${ANNOTATION}enable-access-log`] !== 'false';
      const log = isLogged ? `access_log ${folder}/tributary.log;` : 'access_log off;';
      return `location ~* "^${path}" { ${log} ${rewrite}proxy_pass http://tributary_api; }`;
    });
  const settings = controllerSettings();
  return startNginx([
    [/location = \/health [^]*?\n {4}location \/ \{[^]*?\n {4}\}/, locations.join('\n    ')],
    ['error_log /dev/null emerg', `error_log ${folder}/error.log ${settings['error-log-level']}`],
    [
      'large_client_header_buffers 4 4k',
      `large_client_header_buffers ${settings['large-client-header-buffers']}`,
    ],
  ]);
};

interface Sent {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  agent?: Agent;
}

export function read(
  path: string,
  { host = HOST, method = 'GET', headers = {}, agent }: Sent = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: '127.0.0.1', port, path, method, agent: agent ?? (false as const) },
      ...{ servername: host, rejectUnauthorized: false },
      headers: { host, 'x-caller': 'test', ...headers },
    };
    request(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, body });
      });
    })
      .once('error', reject)
      .end();
  });
}

export async function call(path: string, sent: Sent = {}): Promise<Answer> {
  const { status, headers } = await read(path, sent);
  return { status, backend: String(headers['x-backend']) };
}
