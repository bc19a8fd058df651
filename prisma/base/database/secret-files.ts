import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The setting that names a secret's file: every secret may come from a file, as containers mount
 * them.
 */
export const fileSettingOf = (name: string): string => `${name}_FILE`;

/** Whether a secret is set, as a value or as a file. An empty value counts as unset. */
export const isSecretGiven = (env: Environment, name: string): boolean =>
  isSet(env, name) || isSet(env, fileSettingOf(name));

/**
 * The text of a secret setting, or the contents of its file, without surrounding white space;
 * undefined if neither is set.
 * @throws RangeError with the problem; it quotes neither value nor path
 */
export function readSecret(env: Environment, name: string): string | undefined {
  const fileSetting = fileSettingOf(name);
  if (!isSet(env, fileSetting)) return isSet(env, name) ? env[name]?.trim() : undefined;
  if (isSet(env, name)) throw new RangeError(`${name} and ${fileSetting} are both set: keep one`);
  const text = readText(env[fileSetting]?.trim() ?? '', fileSetting);
  if (text === '') throw new RangeError(`${fileSetting} names an empty file`);
  return text;
}

/**
 * The same environment with the values of these secrets instead of the names of their files.
 * @throws RangeError
 */
export function withSecretValues<E extends Environment>(env: E, names: readonly string[]): E {
  const files = names.filter((name) => isSet(env, fileSettingOf(name)));
  return {
    ...env,
    ...Object.fromEntries(
      files.flatMap((name) => [
        [name, readSecret(env, name)],
        [fileSettingOf(name), undefined],
      ]),
    ),
  };
}

function readText(path: string, fileSetting: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new RangeError(`${fileSetting} names a file that cannot be read (${code})`);
  }
}

const isSet = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== '';
