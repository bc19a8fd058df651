import type { Adapter, Configuration } from './adapter.js';
import type { Provider } from './contract/provider.js';
import { readAdapterSettings, SettingsRefused } from './read-settings.js';
import { settingsFacts, type SettingsFacts } from './settings-facts.js';

/**
 * Creates the provider of a configuration.
 * @throws SettingsRefused when this version does not have such an adapter, or the adapter refuses
 * the settings
 */
export function openConfiguration(adapters: readonly Adapter[], selected: Configuration): Provider {
  const { adapter, configuration } = readConfiguration(adapters, selected);
  try {
    return adapter.create(configuration);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new SettingsRefused(`The settings contradict each other: ${reason}`);
  }
}

/**
 * Reads from the source the facts that its adapter pins and that are not pinned yet
 * (`Adapter.pin`).
 * @returns the public settings to store instead of those of the same names
 * @throws SettingsRefused as `openConfiguration` does
 */
export async function pinConfiguration(
  adapters: readonly Adapter[],
  selected: Configuration,
  signal: AbortSignal,
): Promise<Configuration['settings']> {
  openConfiguration(adapters, selected);
  const { adapter, configuration } = readConfiguration(adapters, selected);
  return (await adapter.pin?.(configuration, signal)) ?? {};
}

/**
 * The facts that its settings define for its institutions.
 * @throws SettingsRefused as `openConfiguration` does
 */
export function factsOfConfiguration(
  adapters: readonly Adapter[],
  selected: Configuration,
): SettingsFacts {
  const { adapter, configuration } = readConfiguration(adapters, selected);
  return settingsFacts(adapter.settings, configuration.settings);
}

function readConfiguration(
  adapters: readonly Adapter[],
  { adapter: name, settings, secrets, name: configured, environment }: Configuration,
): { adapter: Adapter; configuration: Configuration } {
  const adapter = adapters.find((known) => known.name === name);
  if (adapter === undefined) throw new SettingsRefused(`This version has no adapter "${name}".`);
  const read = readAdapterSettings(adapter.settings, { environment, settings, secrets });
  return { adapter, configuration: { adapter: name, name: configured, environment, ...read } };
}
