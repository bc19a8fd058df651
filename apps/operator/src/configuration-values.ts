import type { AdapterSettings } from '../../../providers/adapter.js';
import { readAdapterSettings, SettingsRefused } from '../../../providers/read-settings.js';
import type { Environment } from '../../../domain/api/environment.js';
import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';

export interface ConfigurationValues {
  environment: Environment;
  settings: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
}

/**
 * Checks values against the adapter, before they are stored unchanged: a default may
 * change with a version.
 * @returns the values with the keys to publish
 * @throws CommandFailure with every problem
 */
export function acceptSettings(schemas: AdapterSettings, given: ConfigurationValues) {
  const { settings, secrets } = given;
  const read = readOrRefuse(schemas, given);
  return { settings, secrets, publicKeys: publicKeysOf(schemas, read) };
}

function readOrRefuse(schemas: AdapterSettings, given: ConfigurationValues) {
  try {
    return readAdapterSettings(schemas, given);
  } catch (error) {
    if (error instanceof SettingsRefused) throw new CommandFailure(error.message);
    throw error;
  }
}

function publicKeysOf(
  { publicKeys }: AdapterSettings,
  read: Omit<ConfigurationValues, 'environment'>,
) {
  try {
    const keys = publicKeys?.(read) ?? [];
    return keys.length === 0 ? null : keys;
  } catch (error) {
    // Key libraries report the problem of a key, never the key itself.
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new CommandFailure(`The keys to publish cannot be read: ${reason}.`);
  }
}

/** @throws CommandFailure when there is nothing to remove */
export function changedBy<T>(
  before: Readonly<Record<string, T>>,
  given: Readonly<Record<string, T>>,
  removed: readonly string[],
): Record<string, T> {
  for (const name of removed)
    if (!Object.hasOwn(before, name) || Object.hasOwn(given, name))
      throw new CommandFailure(`"${name}" cannot be removed: it is not set, or it is given, too.`);
  return Object.fromEntries(
    Object.entries({ ...before, ...given }).filter(([name]) => !removed.includes(name)),
  );
}
