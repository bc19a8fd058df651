import type { Adapter, Configuration } from './adapter.js';
import type { Provider } from './provider.js';
import { readAdapterSettings, SettingsRefused } from './read-settings.js';

export interface SelectedConfiguration extends Configuration {
  /** The name of its adapter. */
  adapter: string;
}

/**
 * Makes the provider of a configuration.
 * @throws SettingsRefused when this version has no such adapter, or it refuses the settings
 */
export function openConfiguration(
  adapters: readonly Adapter[],
  { adapter: name, settings, secrets, ...configuration }: SelectedConfiguration,
): Provider {
  const adapter = adapters.find((known) => known.name === name);
  if (adapter === undefined) throw new SettingsRefused(`This version has no adapter "${name}".`);
  const { name: configured, environment } = configuration;
  const read = readAdapterSettings(adapter.settings, { settings, secrets });
  try {
    return adapter.create({ name: configured, environment, ...read });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new SettingsRefused(`The settings contradict each other: ${reason}`);
  }
}
