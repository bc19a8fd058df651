import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { settingNames } from '../../apps/platform/src/config/settings.js';
import {
  SETTING_TABLE,
  settingsUsedBy,
  type ProcessName,
  type SettingDefinition,
  type SettingName,
} from '../../apps/platform/src/config/settings-table.js';
import { DYNAMIC_CONFIG } from '../../apps/standalone/src/temporal/server-settings.js';
import { readCompose, secretsOf, type Service } from './support/compose-files.js';

const compose = readCompose('docker-compose.yml');
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
  console: 'console',
  operator: 'operator',
  'temporal-setup': 'operator',
};
const JOBS = ['temporal-schema', 'temporal-setup', 'migrate'];
/** A secret is given as a file. */
const variableOf = (setting: SettingName): string =>
  (SETTING_TABLE[setting] as SettingDefinition<unknown>).secret ? `${setting}_FILE` : setting;

describe('docker-compose.yml', () => {
  it('runs every part of the service', () => {
    expect(Object.keys(compose.services).sort()).toEqual([
      'api',
      'console',
      'grafana',
      'migrate',
      'operator',
      'postgres',
      'prometheus',
      'sandbox-bank',
      'temporal',
      'temporal-schema',
      'temporal-setup',
      'temporal-ui',
      'webhooks',
      'worker',
    ]);
  });

  it.each(services)('pins the image of %s to one version', (_name, { image }) => {
    expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[\w.-]+)?$/);
  });

  it.each(services)(
    'starts %s only after its dependencies',
    (_name, { depends_on: needs = {} }) => {
      for (const [needed, { condition }] of Object.entries(needs)) {
        const isJob = JOBS.includes(needed);
        expect(condition).toBe(isJob ? 'service_completed_successfully' : 'service_healthy');
        if (!isJob) expect(serviceNamed(needed).healthcheck).toBeDefined();
      }
    },
  );

  it.each(['postgres', 'temporal', 'api', 'worker', 'webhooks', 'sandbox-bank', 'console'])(
    'checks the health of %s',
    (name) => {
      expect(serviceNamed(name).healthcheck?.test[0]).toMatch(/^CMD/);
    },
  );

  it.each([
    ['api', 'migrate'],
    ['api', 'temporal-setup'],
    ['console', 'migrate'],
    ['console', 'temporal-setup'],
    ['console', 'api'],
    ['worker', 'migrate'],
    ['worker', 'temporal-setup'],
    ['worker', 'sandbox-bank'],
    ['migrate', 'postgres'],
    ['temporal-setup', 'migrate'],
    ['temporal', 'temporal-schema'],
    ['temporal-setup', 'temporal'],
    ['temporal-schema', 'postgres'],
  ])('starts %s after %s', (name, needed) => {
    expect(Object.keys(serviceNamed(name).depends_on ?? {})).toContain(needed);
  });

  it.each(Object.entries(OWN))(
    'passes %s its own settings and no others, with a value for every required one',
    (name, process) => {
      const { environment = {}, env_file: wholeFile } = serviceNamed(name);
      expect(wholeFile).toBeUndefined();
      const variables = new Set(settingsUsedBy(process).map(variableOf));
      expect(Object.keys(environment).sort()).toEqual([...variables].sort());
      const required = settingNames().filter((setting) =>
        (SETTING_TABLE[setting] as SettingDefinition<unknown>).requiredBy.includes(process),
      );
      for (const setting of required)
        expect({ setting, value: environment[variableOf(setting)] }).toEqual({
          setting,
          value: expect.any(String),
        });
    },
  );

  it('assigns the sandbox bank a database role of its own, and exposes its control port to no one outside', () => {
    const { environment: bank = {}, ports = [] } = serviceNamed('sandbox-bank');
    const { environment: worker = {} } = serviceNamed('worker');
    const urlOf = (environment: Service['environment']) =>
      environment?.['SANDBOX_BANK_DATABASE_URL_FILE'];
    expect(urlOf(bank)).toBe('/run/secrets/sandbox_bank_database_url');
    expect(urlOf(bank)).toBe(urlOf(serviceNamed('migrate').environment));
    expect(worker['SANDBOX_BANK_URL']).toBe(
      `http://sandbox-bank:${bank['SANDBOX_BANK_CONTROL_PORT']}`,
    );
    expect(worker['SANDBOX_BANK_SECRET_FILE']).toBe(bank['SANDBOX_BANK_SECRET_FILE']);
    for (const published of ports)
      expect(published).not.toContain(bank['SANDBOX_BANK_CONTROL_PORT']);
    expect(secretsOf(serviceNamed('sandbox-bank'))).toEqual([
      'sandbox_bank_database_url',
      'sandbox_bank_secret',
    ]);
  });

  it.each(Object.keys(OWN))('starts %s by an entry that is built', (name) => {
    const { entrypoint = [], command = [] } = serviceNamed(name);
    const entry =
      [...entrypoint, ...command].find((argument) => argument.startsWith('dist/')) ?? '';
    expect(existsSync(entry.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
  });

  it('connects as the owner of the tables only to migrate them', () => {
    for (const [name, service] of services)
      expect({ name, hasOwnerUrl: secretsOf(service).includes('owner_database_url') }).toEqual({
        name,
        hasOwnerUrl: name === 'migrate',
      });
    for (const name of ['api', 'worker', 'webhooks', 'operator', 'console'])
      expect(serviceNamed(name).environment?.['DATABASE_URL_FILE']).toBe(
        '/run/secrets/service_database_url',
      );
  });

  it('publishes ports only to this computer, and neither the database nor Temporal', () => {
    for (const [, { ports = [] }] of services)
      for (const published of ports) expect(published).toMatch(/^127\.0\.0\.1:/);
    expect(serviceNamed('postgres').ports).toBeUndefined();
    expect(serviceNamed('temporal').ports).toBeUndefined();
  });

  it('passes Temporal the settings of the embedded server, and creates its namespace with our command', () => {
    const config = parse(readFileSync('deploy/temporal/dynamicconfig.yaml', 'utf8')) as Record<
      string,
      [{ value: number }]
    >;
    expect(
      Object.fromEntries(Object.entries(config).map(([key, [{ value }]]) => [key, value])),
    ).toEqual(DYNAMIC_CONFIG);
    expect(serviceNamed('temporal').volumes).toContain(
      `./deploy/temporal/dynamicconfig.yaml:${serviceNamed('temporal').environment?.['DYNAMIC_CONFIG_FILE_PATH']}:ro`,
    );
    expect(serviceNamed('temporal-setup').command?.slice(1)).toEqual([
      'dist/apps/operator/src/main.js',
      'temporal',
      'setup',
    ]);
  });

  it.each(services.filter(([name]) => JOBS.includes(name)))(
    'lets the job %s finish',
    (_name, { restart }) => {
      expect(restart).toMatch(/^on-failure/);
    },
  );
});

describe('package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };

  it.each(Object.entries(scripts))('the script %s runs files that exist', (_name, script) => {
    const files = script
      .split(/[\s&|;']+/)
      .filter((word) => /^(tools|dist)\/|^apps\/.*\.js$/.test(word));
    for (const path of files)
      expect(
        existsSync(
          path.startsWith('tools/') ? path : path.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
        ),
      ).toBe(true);
  });
});
