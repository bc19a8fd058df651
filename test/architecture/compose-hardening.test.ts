// cspell:ignore onyl
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { parseDuration } from '../../apps/platform/src/config/duration.js';
import {
  readCompose,
  secretsOf,
  withBase,
  type ComposeFile,
  type Service,
} from './support/compose-files.js';

const BASE = 'docker-compose.yml';
const OVERRIDES = readdirSync('deploy/compose')
  .filter((name) => name.endsWith('.yml'))
  .map((name) => `deploy/compose/${name}`);
/** The contents of each file after compose has merged it. */
const FILES: [path: string, file: ComposeFile][] = [
  [BASE, readCompose(BASE)],
  ...OVERRIDES.map((path): [string, ComposeFile] => [
    path,
    withBase(readCompose(BASE), readCompose(path)),
  ]),
];
const CLUSTER = withBase(readCompose(BASE), readCompose('deploy/compose/cluster.yml'));
const SERVICES = FILES.flatMap(([path, { services }]) =>
  Object.entries(services).map(([name, service]): [string, string, Service] => [
    path,
    name,
    service,
  ]),
);

describe('The compose files', () => {
  let isValid: ValidateFunction;
  beforeAll(() => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    // Durations of Go, which the specification means, and not of ISO 8601.
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
    const schema = readFileSync('test/architecture/compose-spec.schema.json', 'utf8');
    isValid = ajv.compile(JSON.parse(schema) as object);
  });

  it.each([BASE, ...OVERRIDES])('%s is valid by the schema of the specification', (path) => {
    isValid(readCompose(path));
    expect(isValid.errors).toBe(null);
  });

  it('are refused by the schema when a service has a property that does not exist', () => {
    const file = readCompose(BASE);
    Object.assign(file.services['api'] ?? {}, { read_onyl: true });
    expect(isValid(file)).toBe(false);
  });

  it.each(SERVICES)(
    '%s confines %s: read-only root, no further capability, no new privilege, limited memory',
    (_path, _name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
      });
      for (const property of ['privileged', 'network_mode', 'pid', 'ipc'])
        expect(service).not.toHaveProperty(property);
      // Caddy's program has it as an attribute of its file.
      const isCaddy = service.image?.startsWith('caddy:') === true;
      expect(service.cap_add ?? []).toEqual(isCaddy ? ['NET_BIND_SERVICE'] : []);
    },
  );

  it.each(SERVICES)('%s puts no secret into the environment of %s', (_path, _name, service) => {
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD|SECRET|MASTER_KEYS|DATABASE_URL|API_KEY|_PWD/.test(variable))
        expect(variable).toMatch(/_FILE$/);
      expect(value ?? '').not.toMatch(/\$\{[A-Z_]*(PASSWORD|SECRET|KEYS?)\b/);
    }
  });

  it.each(FILES)('%s mounts every secret that a service reads, and no other', (_path, file) => {
    const declared = Object.keys(file.secrets ?? {});
    for (const [name, service] of Object.entries(file.services)) {
      const text = JSON.stringify([service.environment, service.command, service.entrypoint]);
      const read = [...text.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret);
      expect({ name, secrets: secretsOf(service) }).toEqual({
        name,
        secrets: expect.arrayContaining(read),
      });
      expect({ name, declared }).toEqual({
        name,
        declared: expect.arrayContaining(secretsOf(service)),
      });
    }
    const mounted = new Set(Object.values(file.services).flatMap(secretsOf));
    expect([...mounted].sort()).toEqual(declared.sort());
  });

  it.each(SERVICES)(
    '%s mounts into %s only files that exist, read-only',
    (_path, _name, service) => {
      for (const volume of service.volumes ?? []) {
        const [source = '', , mode] = volume.split(':');
        if (!source.startsWith('./')) continue;
        expect(mode).toBe('ro');
        // A file that is not in the repository would be created by the engine, as a folder of root.
        expect({ source, exists: existsSync(source) }).toEqual({ source, exists: true });
      }
    },
  );

  it('wait longer than a process takes to stop, STOP_DELAY of the API included', () => {
    for (const [, name, service] of SERVICES.filter(([, , { build }]) => build !== undefined)) {
      const delay = /:-(\d+s)\}/.exec(service.environment?.['STOP_DELAY'] ?? '')?.[1] ?? '0s';
      const grace = parseDuration(service.stop_grace_period ?? '0s');
      const needed = parseDuration(delay) + 15_000;
      expect({ name, isLongEnough: grace > needed }).toEqual({ name, isLongEnough: true });
    }
  });

  it('name only secrets that make-secrets.sh creates, and for a cluster also a certificate', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));
    execFileSync('sh', ['deploy/compose/make-secrets.sh', folder]);
    const made = readdirSync(folder);
    rmSync(folder, { recursive: true });
    const named = FILES.flatMap(([, { secrets = {} }]) =>
      Object.values(secrets).map(({ file }) => file.replace('./secrets/', '')),
    );
    expect([...new Set(named)].sort()).toEqual([...made, 'proxy.pem'].sort());
  });
});

describe('The profile observability', () => {
  const { services } = readCompose(BASE);
  interface Scrapes {
    scrape_configs: { job_name: string; dns_sd_configs?: { names: string[]; port: number }[] }[];
  }
  const scrapes = (parse(readFileSync('deploy/prometheus/prometheus.yml', 'utf8')) as Scrapes)
    .scrape_configs;

  it.each([
    ['tributary-api', 'api', 'METRICS_PORT'],
    ['tributary-worker', 'worker', 'WORKER_METRICS_PORT'],
    ['tributary-temporal-sdk', 'worker', 'WORKER_SDK_METRICS_PORT'],
    ['tributary-webhooks', 'webhooks', 'WEBHOOKS_METRICS_PORT'],
  ])('reads as %s every %s at its %s', (jobName, name, port) => {
    const [place] = scrapes.find(({ job_name: job }) => job === jobName)?.dns_sd_configs ?? [];
    expect(String(place?.port)).toBe(services[name]?.environment?.[port]);
    expect(services[name]?.environment?.['METRICS_HOST']).toBe('0.0.0.0');
    const all = Object.keys(CLUSTER.services);
    const ofThisKind = all.filter((each) => new RegExp(`^${name}(-\\d+)?$`).test(each));
    expect(place?.names).toEqual(ofThisKind);
  });

  it('reads the metrics of Temporal', () => {
    const [place] = scrapes.find(({ job_name: job }) => job === 'temporal')?.dns_sd_configs ?? [];
    expect(services['temporal']?.environment?.['PROMETHEUS_ENDPOINT']).toBe(
      `0.0.0.0:${place?.port}`,
    );
  });
});
