import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../apps/platform/src/config/settings.js';
import {
  variablesUsedBy,
  type ProcessName,
} from '../../apps/platform/src/config/settings-table.js';

const UNITS = 'deploy/systemd';
const TEMPLATE = join(UNITS, 'tributary@.service');
const PROCESSES = [
  'api',
  'worker',
  'webhooks',
  'sandbox-bank',
  'console',
] as const satisfies ProcessName[];

/** The files that an operator puts into /etc/tributary. */
const SECRETS: Readonly<Record<string, string>> = {
  service_database_url: 'postgresql://tributary_service:x@127.0.0.1/tributary',
  master_keys: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  sandbox_bank_database_url: 'postgresql://sandbox_bank:x@127.0.0.1/tributary',
  sandbox_bank_secret: 'x'.repeat(32),
};
const SETTINGS = {
  BASE_URL: 'https://tributary.example.com',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  SANDBOX_BANK_URL: 'http://127.0.0.1:4101',
  SANDBOX_BANK_PUBLIC_URL: 'https://bank.example.com',
};

interface Given {
  environment: Record<string, string>;
  /** Path by name. */
  credentials: Record<string, string>;
}

/**
 * The merge rules of systemd for a template and drop-ins: values add up, an empty one clears the
 * previous ones.
 */
function given(texts: readonly string[]): Given {
  const result: Given = { environment: {}, credentials: {} };
  for (const line of texts.join('\n').split('\n')) {
    const [, key, value = ''] = /^(Environment|LoadCredential)=(.*)$/.exec(line) ?? [];
    const target = key === 'Environment' ? result.environment : result.credentials;
    if (key !== undefined && value === '')
      for (const name of Object.keys(target)) Reflect.deleteProperty(target, name);
    for (const word of key === undefined || value === '' ? [] : value.split(' ')) {
      const [, name = '', rest = ''] = /^([^=:]+)[=:](.*)$/.exec(word) ?? [];
      target[name] = rest;
    }
  }
  return result;
}

const template = readFileSync(TEMPLATE, 'utf8');
function givenTo(process: string): Given {
  const folder = join(UNITS, `tributary@${process}.service.d`);
  const dropIns = existsSync(folder) ? readdirSync(folder).sort() : [];
  return given([template, ...dropIns.map((name) => readFileSync(join(folder, name), 'utf8'))]);
}

describe('The systemd units', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-credentials-'));
    for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(folder, name), value);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PROCESSES)('let %s start: its settings are complete', (process) => {
    const { environment, credentials } = givenTo(process);
    const env = Object.entries(environment).map(([name, value]): [string, string] => {
      const [, credential] = /^%d\/(.+)$/.exec(value) ?? [];
      if (credential !== undefined)
        expect(credentials[credential]).toBe(`/etc/tributary/secrets/${credential}`);
      return [name, value.replace('%d', folder)];
    });
    expect(() => readSettings({ ...SETTINGS, ...Object.fromEntries(env) }, process)).not.toThrow();
  });

  it.each(PROCESSES)('pass %s no credential except those that it uses', (process) => {
    const { environment, credentials } = givenTo(process);
    const { NODE_ENV: mode, ...settings } = environment;
    expect(mode).toBe('production');
    const known = variablesUsedBy(process);
    expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
    expect(Object.values(settings).sort()).toEqual(
      Object.keys(credentials)
        .map((name) => `%d/${name}`)
        .sort(),
    );
  });

  it('prepare the files of TLS for Temporal, for the processes that need them', () => {
    const { environment, credentials } = given([template.replace(/^#(?=[A-Z])/gm, '')]);
    const paths = Object.entries(environment).filter(([name]) => name.endsWith('_PATH'));
    expect(paths.map(([name]) => name).sort()).toEqual([
      'TEMPORAL_TLS_CLIENT_CERT_PATH',
      'TEMPORAL_TLS_CLIENT_KEY_PATH',
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    ]);
    for (const [name, path] of paths) {
      expect(variablesUsedBy('worker')).toContain(name);
      expect(Object.keys(credentials)).toContain(path.replace('%d/', ''));
    }
  });

  (spawnSync('systemd-analyze', ['--version']).status === 0 ? it.each : it.skip.each)(PROCESSES)(
    'and the drop-ins of %s have no line that systemd would ignore (needs systemd-analyze)',
    (process) => {
      const unit = join(UNITS, `tributary@${process}.service`);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], {
        encoding: 'utf8',
      });
      expect({
        status,
        complaints: stderr.split('\n').filter((line) => line.includes(UNITS)),
      }).toEqual({ status: 0, complaints: [] });
    },
  );
});
