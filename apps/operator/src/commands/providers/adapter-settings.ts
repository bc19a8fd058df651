import type { AdapterSettings } from '../../../../../providers/adapter.js';
import { MANIFESTS } from '../../../../../providers/manifests.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import type { CommandShell } from '../../operator-command.js';

type Adapters = NonNullable<CommandShell['adapters']>;

/** The settings of adapters, by their names. */
export const settingsByAdapter = (manifests: typeof MANIFESTS): Adapters =>
  Object.fromEntries(manifests.map(({ name, settings }) => [name, settings]));

const OF_THIS_VERSION = settingsByAdapter(MANIFESTS);

/** The settings of each adapter. */
export const adaptersOf = ({ adapters = OF_THIS_VERSION }: CommandShell): Adapters => adapters;

/** @throws CommandFailure for an unknown adapter */
export function settingsOf(shell: CommandShell, adapter: string): AdapterSettings {
  const adapters = adaptersOf(shell);
  const found = Object.hasOwn(adapters, adapter) ? adapters[adapter] : undefined;
  if (found === undefined)
    throw new CommandFailure(
      `There is no adapter ${adapter}; this version has: ${Object.keys(adapters).join(', ') || 'none'}.`,
    );
  return found;
}
