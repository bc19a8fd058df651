import {
  environmentOf,
  programEnvironment,
  toolEnvironment,
} from '../../../apps/platform/src/config/process-environment.js';
import { settingNames } from '../../../apps/platform/src/config/settings.js';
import {
  SETTING_TABLE,
  settingsUsedBy,
  type ProcessName,
  type SettingDefinition,
} from '../../../apps/platform/src/config/settings-table.js';

const PARTS = [
  'api',
  'worker',
  'webhooks',
  'sandbox-bank',
  'migrate',
  'operator',
] as const satisfies readonly ProcessName[];
const EVERYTHING: Record<string, string> = {
  ...Object.fromEntries(settingNames().map((name) => [name, `value of ${name}`])),
  PATH: '/bin',
  HTTPS_PROXY: 'http://proxy',
  GOPROXY: 'https://proxy',
  AWS_SECRET_ACCESS_KEY: 'of the shell',
};

describe('The environment of a process', () => {
  it.each(PARTS)(
    'contains for %s everything it requires, and nothing that is not a setting',
    (process) => {
      const given = Object.keys(environmentOf(process, EVERYTHING));
      const required = settingNames().filter((name) =>
        (SETTING_TABLE[name] as SettingDefinition<unknown>).requiredBy.includes(process),
      );
      expect(given).toEqual(expect.arrayContaining([...required, 'PATH']));
      expect(given.filter((name) => name !== 'PATH').sort()).toEqual(
        settingsUsedBy(process).sort(),
      );
    },
  );

  it('passes each secret only to the processes that need it', () => {
    const holdersOf = (name: string) =>
      PARTS.filter((process) => name in environmentOf(process, EVERYTHING));
    expect(holdersOf('MASTER_KEYS')).toEqual(['api', 'worker', 'webhooks', 'operator']);
    expect(holdersOf('DATABASE_URL')).toEqual(['api', 'worker', 'webhooks', 'migrate', 'operator']);
    expect(holdersOf('SANDBOX_BANK_SECRET')).toEqual(['worker', 'sandbox-bank']);
    expect(holdersOf('SANDBOX_BANK_DATABASE_URL')).toEqual(['sandbox-bank', 'migrate']);
  });

  it('passes the file of a secret to the same processes, and no file for other settings', () => {
    const files = Object.fromEntries(
      Object.keys(EVERYTHING).map((name) => [`${name}_FILE`, '/run/secrets/file']),
    );
    expect(Object.keys(environmentOf('sandbox-bank', files)).sort()).toEqual([
      'SANDBOX_BANK_DATABASE_URL_FILE',
      'SANDBOX_BANK_SECRET_FILE',
    ]);
    expect(programEnvironment(files)).toEqual({});
  });

  it('contains no setting of the service for third-party programs', () => {
    expect(programEnvironment(EVERYTHING)).toEqual({ PATH: '/bin' });
    expect(toolEnvironment(EVERYTHING)).toEqual({
      PATH: '/bin',
      HTTPS_PROXY: 'http://proxy',
      GOPROXY: 'https://proxy',
    });
  });

  it('omits settings that are not set', () => {
    expect(environmentOf('api', { PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });
});
