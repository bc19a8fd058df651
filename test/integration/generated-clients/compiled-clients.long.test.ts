// cspell:ignore Dartifact Dmdep openapitools
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import documented from '../../../docs/openapi.json' with { type: 'json' };
import { readExamples } from '../../../apps/api/src/openapi/recorded-examples.js';
import { TOMORROW } from './bodies-of-tomorrow.js';
import { DOCUMENT } from './document.js';

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OPENAPI_GENERATOR = '7.25.0';
const DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const PROGRAMS = 'test/integration/generated-clients/compiled';
/** Most of it is the first download of a compiler's packages. */
const WITHIN_MS = 900_000;

const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tributary');
const { operations: EXAMPLES, webhooks: WEBHOOKS } = readExamples();
const EXAMPLE = EXAMPLES['links.list']?.response as { links: Record<string, unknown>[] };
const LINKS = EXAMPLE.links.map((link) => ({
  ...link,
  state: TOMORROW,
  available_products: [TOMORROW],
}));
const PAGE = EXAMPLES['webhooks.listEvents']?.response as { events: object[] };
/** Of every webhook, of a later event, and of the Plaid-compatible layer. */
const BODIES = [
  ...Object.values(WEBHOOKS as Record<string, object>),
  { webhook_event: TOMORROW, of_tomorrow: [1] },
  { webhook_type: 'ITEM', webhook_code: 'ERROR' },
];
const TOKEN = { result: 'exchangeable_token', exchangeable_token: 'sandbox_xt_1', expires_in: 9 };
const RESPONSES: Readonly<Record<string, object>> = {
  'GET /links': { ...EXAMPLE, links: LINKS },
  'GET /webhooks/events': {
    ...PAGE,
    events: BODIES.map((body) => ({ ...PAGE.events[0], webhook_event: TOMORROW, body })),
  },
  'POST /sandbox/link': TOKEN,
};
const PRINTED = [
  ...LINKS.map((link) => `${String((link as { link_id?: string }).link_id)} ${TOMORROW}\n`),
  ...BODIES.map((body) => `${TOMORROW} ${Object.keys(body).length}\n`),
  `${TOKEN.exchangeable_token}\n`,
];
const PARAMETERS = {
  links: documented.paths['/links'].get.parameters.length,
  events: documented.paths['/webhooks/events'].get.parameters.length,
};

let folder: string;
let server: Server;
let address: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-compiled-'));
  server = createServer((request, response) => {
    const body = RESPONSES[`${request.method} ${request.url}`];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of a program. @throws Error with all that a failed one printed */
async function run(program: string, args: string[], cwd = folder): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`.slice(0, 10_000));
  }
}

/** A copy of a program, with an argument for each parameter of its calls. */
function copyOf(language: string, main: string, missing: string): string {
  const copy = join(folder, language);
  cpSync(join(PROGRAMS, language), copy, { recursive: true });
  let source = readFileSync(join(copy, main), 'utf8');
  for (const [name, count] of Object.entries(PARAMETERS)) {
    const given = Array.from({ length: count }, () => missing).join(', ');
    source = source.replace(`/* parameters of ${name} */`, given);
  }
  writeFileSync(join(copy, main), source);
  return copy;
}

/** OpenAPI Generator of Maven Central, downloaded once. */
async function openApiGenerator(...args: string[]): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  await run('mvn', [
    ...['-q', '-B', `${DEPENDENCIES}:copy`, `-Dartifact=${artifact}`],
    ...[`-DoutputDirectory=${CACHE}`, '-Dmdep.overWriteReleases=false'],
  ]);
  await run('java', [
    ...['-jar', join(CACHE, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`), 'generate'],
    ...['--input-spec', resolve(DOCUMENT), ...args],
  ]);
}

/** A test that needs programs on the search path. Without them it is skipped, counted and reported. */
function itWith(programs: Record<string, string>, title: string, test: () => Promise<void>): void {
  const missing = Object.entries(programs).filter(
    ([program, version]) => spawnSync(program, [version]).status !== 0,
  );
  if (missing.length === 0) return it(title, test, WITHIN_MS);
  const names = missing.map(([program]) => program).join(', ');
  process.stderr.write(`SKIPPED: ${title}. Not on this machine: ${names}.\n`);
  it.skip(title, test);
}

describe('A compiled client that reads links with values that no list has yet, bodies of any event, and a union', () => {
  itWith({ go: 'version' }, 'is made by oapi-codegen, for Go', async () => {
    const go = copyOf('go', 'main.go', '');
    await run('go', ['run', OAPI_CODEGEN, '-config', 'oapi-codegen.yaml', resolve(DOCUMENT)], go);
    expect(await run('go', ['run', '.', address], go)).toBe(PRINTED.join(''));
  });

  itWith(
    { java: '-version', mvn: '-version' },
    'is made by OpenAPI Generator, for Java',
    async () => {
      const java = copyOf('java', 'Main.java', 'null');
      await openApiGenerator('--generator-name', 'java', '--output', join(java, 'client'));
      const client = join(java, 'client');
      const paths = join(java, 'class-path');
      await run(
        'mvn',
        ['-q', '-B', 'compile', `${DEPENDENCIES}:build-classpath`, `-Dmdep.outputFile=${paths}`],
        client,
      );
      const classPath = `${join(client, 'target/classes')}:${readFileSync(paths, 'utf8')}`;
      expect(await run('java', ['-cp', classPath, 'Main.java', address], java)).toBe(
        PRINTED.join(''),
      );
    },
  );

  itWith(
    { cargo: '--version', java: '-version', mvn: '-version' },
    'is made by OpenAPI Generator, for Rust',
    async () => {
      const rust = copyOf('rust', 'src/main.rs', 'None');
      await openApiGenerator(
        ...['--generator-name', 'rust', '--output', join(rust, 'client')],
        ...['--additional-properties', 'packageVersion=0.1.0'],
      );
      expect(await run('cargo', ['run', '--quiet', '--locked', '--', address], rust)).toBe(
        PRINTED.join(''),
      );
    },
  );
});
