import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findService } from '../../../apps/platform/src/process/find-service.js';
import { readSettings, SettingsError } from '../../../apps/platform/src/config/settings.js';
import { SETTING_TABLE } from '../../../apps/platform/src/config/settings-table.js';
import { withSecrets } from '../../../apps/standalone/src/service/standalone-settings.js';

const MASTER_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const DATABASE_URL = 'postgresql://u:p@db:5432/t';
const OTHERS = { TEMPORAL_ADDRESS: 'temporal:7233' };
const folder = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, contents: string): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

function errorOf(read: () => unknown): SettingsError {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error('there is no error');
}

describe('A secret in a file', () => {
  it('is read without the white space around it', () => {
    const settings = readSettings(
      {
        ...OTHERS,
        DATABASE_URL_FILE: file('url', `${DATABASE_URL}\n`),
        MASTER_KEYS_FILE: file('keys', `\n${MASTER_KEYS}\r\n`),
      },
      'api',
    );
    expect(settings.databaseUrl).toBe(DATABASE_URL);
    expect(settings.masterKeys.map(({ id }) => id)).toEqual(['k1']);
  });

  it('is accepted for every secret setting and for no other one', () => {
    for (const [name, { secret }] of Object.entries(SETTING_TABLE)) {
      const problems = ((): readonly string[] => {
        try {
          readSettings({ [`${name}_FILE`]: join(folder, 'nothing') }, 'standalone');
        } catch (error) {
          return (error as SettingsError).problems;
        }
        return [];
      })();
      expect(problems).toEqual(
        secret ? [`${name}_FILE names a file that cannot be read (ENOENT)`] : [],
      );
    }
  });

  it.each([
    ['beside a value', MASTER_KEYS, 'MASTER_KEYS and MASTER_KEYS_FILE are both set: keep one'],
    ['that is empty', ' \n', 'MASTER_KEYS_FILE names an empty file'],
    ['with a wrong value', 'k1:canary', expect.stringMatching(/^MASTER_KEYS must be a list/)],
  ])('is refused %s, and neither value nor path is quoted', (title, contents, problem) => {
    const path = file('master-keys', contents);
    const error = errorOf(() =>
      readSettings(
        {
          ...OTHERS,
          DATABASE_URL,
          MASTER_KEYS_FILE: path,
          ...(title === 'beside a value' ? { MASTER_KEYS } : {}),
        },
        'api',
      ),
    );
    expect(error.problems).toEqual([problem]);
    for (const secret of [path, MASTER_KEYS, 'canary']) expect(error.message).not.toContain(secret);
  });

  it('is refused when the process may not read it', () => {
    const path = process.getuid?.() === 0 ? folder : file('locked', MASTER_KEYS);
    if (path !== folder) chmodSync(path, 0o000);
    const error = errorOf(() =>
      readSettings({ ...OTHERS, DATABASE_URL, MASTER_KEYS_FILE: path }, 'api'),
    );
    expect(error.problems).toEqual([
      expect.stringMatching(/^MASTER_KEYS_FILE names a file that cannot be read \(E[A-Z]+\)$/),
    ]);
  });

  it('is read by standalone in place of the key that it would create', () => {
    const made = { master_keys: 'made', sandbox_bank: { secret: 'made' } } as never;
    const env = withSecrets({ MASTER_KEYS_FILE: file('own', MASTER_KEYS) }, made);
    expect(env).toMatchObject({ MASTER_KEYS, SANDBOX_BANK_SECRET: 'made' });
    expect(env['MASTER_KEYS_FILE']).toBeUndefined();
    expect(() => withSecrets({ MASTER_KEYS_FILE: '/nothing' }, made)).toThrow(SettingsError);
  });

  it('names the service of a command', () => {
    const env = { DATABASE_URL_FILE: file('url-2', DATABASE_URL), MASTER_KEYS };
    expect(findService(env)).toBe(env);
  });
});
