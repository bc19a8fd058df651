import type { AdapterSettings, Configuration } from './adapter.js';

/** Settings that their adapter does not accept. The message names them and shows no value. */
export class SettingsRefused extends Error {
  override readonly name = 'SettingsRefused';
}

/**
 * Checks an operator's input against the settings of the adapter.
 * @returns them in the adapter's form, with defaults filled in
 * @throws SettingsRefused with every problem
 */
export function readAdapterSettings(
  schemas: AdapterSettings,
  {
    environment,
    ...given
  }: {
    environment: Configuration['environment'];
    settings: Readonly<Record<string, unknown>>;
    secrets: Readonly<Record<string, string>>;
  },
): Pick<Configuration, 'settings' | 'secrets'> {
  const settings = schemas.public.strict().safeParse(given.settings);
  const secrets = schemas.secret.strict().safeParse(given.secrets);
  if (settings.success && secrets.success) {
    requireAllowed(schemas, { environment, settings: settings.data });
    return { settings: settings.data, secrets: secrets.data as Record<string, string> };
  }
  const problems = [
    ...problemsOf('setting', settings.error?.issues ?? []),
    ...problemsOf('secret', secrets.error?.issues ?? []),
  ];
  throw new SettingsRefused(problems.join('\n'));
}

/**
 * @throws SettingsRefused with every restriction of the configuration's environment that they
 * violate
 */
export function requireAllowed(
  { refusedIn }: Pick<AdapterSettings, 'refusedIn'>,
  { environment, settings }: Pick<Configuration, 'environment' | 'settings'>,
): void {
  const problems = refusedIn?.(environment, settings) ?? [];
  if (problems.length > 0) throw new SettingsRefused(problems.join('\n'));
}

interface Issue {
  code: string;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
}

/** The messages of zod name types and rules; none of them contains a value. */
function problemsOf(kind: 'setting' | 'secret', issues: readonly Issue[]): string[] {
  return issues.flatMap(({ code, path, message, keys = [] }) =>
    code === 'unrecognized_keys' && path.length === 0
      ? keys.map((key) => `The adapter has no ${kind} "${key}".`)
      : [`The ${kind} "${path.map(String).join('.')}": ${message}.`],
  );
}
