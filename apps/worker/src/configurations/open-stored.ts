import type { StoredConfiguration } from '../../../../prisma/work/providers/provider-configuration.js';
import type { Adapter, Configuration } from '../../../../providers/adapter.js';
import type { SettingsFacts } from '../../../../providers/settings-facts.js';
import {
  factsOfConfiguration,
  openConfiguration,
  pinConfiguration,
} from '../../../../providers/open-configuration.js';
import type { Provider } from '../../../../providers/contract/provider.js';

/** @throws what `unusableReason` explains */
export async function openStored(
  adapters: readonly Adapter[],
  stored: StoredConfiguration,
): Promise<Provider> {
  return openConfiguration(adapters, await selected(stored));
}

/**
 * Requests the values that are not pinned yet from the source.
 * @returns the configuration with them
 * @throws what `unusableReason` explains
 */
export async function pinStored(
  adapters: readonly Adapter[],
  stored: StoredConfiguration,
  signal: AbortSignal,
): Promise<StoredConfiguration> {
  const pinned = await pinConfiguration(adapters, await selected(stored), signal);
  return Object.keys(pinned).length === 0
    ? stored
    : { ...stored, settings: { ...stored.settings, ...pinned } };
}

/** @throws what `unusableReason` explains */
export async function factsOfStored(
  adapters: readonly Adapter[],
  stored: StoredConfiguration,
): Promise<SettingsFacts> {
  return factsOfConfiguration(adapters, await selected(stored));
}

async function selected({
  name,
  adapter,
  environment,
  settings,
  openSecrets,
}: StoredConfiguration): Promise<Configuration> {
  return { name, adapter, environment, settings, secrets: await openSecrets() };
}
