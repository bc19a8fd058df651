import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { settingNames } from '../../apps/platform/src/config/settings.js';
import {
  SETTING_TABLE,
  settingsUsedBy,
  type ProcessName,
  type SettingDefinition,
} from '../../apps/platform/src/config/settings-table.js';
import { DYNAMIC_CONFIG } from '../../apps/standalone/src/temporal/server-settings.js';

interface Service {
  image: string;
  command?: string[];
  entrypoint?: string[];
  /** Null: taken from .env. */
  environment?: Record<string, string | null>;
  env_file?: unknown;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  restart?: string;
}

const file = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(file, { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
};
const services = Object.entries(compose.services);
const serviceNamed = (name: string): Service => {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};
const OWN: Record<string, ProcessName> = {
  api: 'api',
  worker: 'worker',
  webhooks: 'webhooks',
  'sandbox-bank': 'sandbox-bank',
  migrate: 'migrate',
  'temporal-namespace': 'cli',
  cli: 'cli',
};
const JOBS = ['temporal-schema', 'temporal-namespace', 'migrate'];

describe('docker-compose.yml', () => {
  it('runs every part of the service', () => {
    expect(Object.keys(compose.services).sort()).toEqual([
      'api',
      'cli',
      'migrate',
      'postgres',
      'sandbox-bank',
      'temporal',
      'temporal-namespace',
      'temporal-schema',
      'temporal-ui',
      'webhooks',
      'worker',
    ]);
  });

  it.each(services)('pins the image of %s to one version', (_name, { image }) => {
    expect(image).toMatch(/:\d+\.\d+(\.\d+)?(-[\w.-]+)?$/);
  });

  it.each(services)('starts %s only after what it needs', (_name, { depends_on: needs = {} }) => {
    for (const [needed, { condition }] of Object.entries(needs)) {
      const isJob = JOBS.includes(needed);
      expect(condition).toBe(isJob ? 'service_completed_successfully' : 'service_healthy');
      if (!isJob) expect(serviceNamed(needed).healthcheck).toBeDefined();
    }
  });

  it.each(['postgres', 'temporal', 'api', 'worker', 'webhooks', 'sandbox-bank'])(
    'watches the health of %s',
    (name) => {
      expect(serviceNamed(name).healthcheck?.test[0]).toMatch(/^CMD/);
    },
  );

  it.each([
    ['api', 'migrate'],
    ['api', 'temporal-namespace'],
    ['worker', 'migrate'],
    ['worker', 'temporal-namespace'],
    ['worker', 'sandbox-bank'],
    ['migrate', 'postgres'],
    ['temporal', 'temporal-schema'],
    ['temporal-namespace', 'temporal'],
    ['temporal-namespace', 'migrate'],
    ['temporal-schema', 'postgres'],
  ])('starts %s after %s', (name, needed) => {
    expect(Object.keys(serviceNamed(name).depends_on ?? {})).toContain(needed);
  });

  it.each(Object.entries(OWN))(
    'gives %s its own settings and no others, with a value for all it requires',
    (name, process) => {
      const { environment = {}, env_file: wholeFile } = serviceNamed(name);
      expect(wholeFile).toBeUndefined();
      expect(Object.keys(environment).sort()).toEqual(settingsUsedBy(process).sort());
      const required = settingNames().filter((setting) =>
        (SETTING_TABLE[setting] as SettingDefinition<unknown>).requiredBy.includes(process),
      );
      for (const setting of required) expect(environment[setting]).toEqual(expect.any(String));
    },
  );

  it('gives the sandbox bank a database role of its own, and its control port to no one outside', () => {
    const { environment: bank = {}, ports = [] } = serviceNamed('sandbox-bank');
    const { environment: worker = {} } = serviceNamed('worker');
    expect(bank['SANDBOX_BANK_DATABASE_URL']).toMatch(/^postgresql:\/\/sandbox_bank:/);
    expect(bank['SANDBOX_BANK_DATABASE_URL']).toBe(
      serviceNamed('migrate').environment?.['SANDBOX_BANK_DATABASE_URL'],
    );
    expect(worker['SANDBOX_BANK_URL']).toBe(
      `http://sandbox-bank:${bank['SANDBOX_BANK_CONTROL_PORT']}`,
    );
    expect(worker['SANDBOX_BANK_SECRET']).toBe(bank['SANDBOX_BANK_SECRET']);
    for (const published of ports)
      expect(published).not.toContain(bank['SANDBOX_BANK_CONTROL_PORT']);
    for (const name of ['MASTER_KEYS', 'DATABASE_URL']) expect(bank).not.toHaveProperty(name);
  });

  it.each(Object.keys(OWN))('starts %s by an entry that is built', (name) => {
    const { entrypoint = [], command = [] } = serviceNamed(name);
    const entry =
      [...entrypoint, ...command].find((argument) => argument.startsWith('dist/')) ?? '';
    expect(existsSync(entry.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
  });

  it('has no default for a secret', () => {
    for (const name of [
      'POSTGRES_PASSWORD',
      'MASTER_KEYS',
      'SANDBOX_BANK_SECRET',
      'SANDBOX_BANK_DATABASE_PASSWORD',
    ]) {
      const uses = [...file.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, 'g'))].map(
        ([, rest = '']) => rest,
      );
      expect(uses.length).toBeGreaterThan(0);
      for (const rest of uses) expect(rest).toMatch(/^:\?set /);
    }
  });

  it('publishes nothing but to this computer, and neither database nor Temporal', () => {
    for (const [, { ports = [] }] of services)
      for (const published of ports) expect(published).toMatch(/^127\.0\.0\.1:/);
    expect(serviceNamed('postgres').ports).toBeUndefined();
    expect(serviceNamed('temporal').ports).toBeUndefined();
  });

  it('gives Temporal the settings of the embedded server', () => {
    const config = parse(compose.configs['temporal-dynamic-config']?.content ?? '') as Record<
      string,
      [{ value: number }]
    >;
    expect(
      Object.fromEntries(Object.entries(config).map(([key, [{ value }]]) => [key, value])),
    ).toEqual(DYNAMIC_CONFIG);
  });

  it('makes the namespace by the command for it', () => {
    const { command = [] } = serviceNamed('temporal-namespace');
    expect(command.slice(1, 4)).toEqual(['dist/apps/cli/src/main.js', 'temporal', 'setup']);
  });

  it.each(services.filter(([name]) => JOBS.includes(name)))(
    'lets the job %s end',
    (_name, { restart }) => {
      expect(restart).toMatch(/^on-failure/);
    },
  );
});

describe('Dockerfile', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');

  it('builds from a pinned image, drops what only the build needs, and does not run as root', () => {
    const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    expect(stages.length).toBe(2);
    for (const image of stages) expect(image).toMatch(/^node:\d+\.\d+\.\d+-/);
    expect(dockerfile).toContain('npm prune --omit=dev');
    expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toMatch(/^USER node$/m);
  });

  it('copies only what exists and what .dockerignore lets through', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    );
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect(existsSync(source)).toBe(true);
      expect(ignored).toContain(`!${source}`);
    }
    expect(ignored).toContain('*');
  });
});

describe('package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };

  it.each(Object.entries(scripts))('the script %s runs files that exist', (_name, script) => {
    const files = script
      .split(/[\s&|;]+/)
      .filter((word) => /^(tools|dist)\/|^apps\/.*\.js$/.test(word));
    for (const path of files)
      expect(
        existsSync(
          path.startsWith('tools/') ? path : path.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
        ),
      ).toBe(true);
  });
});
