import type { StoredConfiguration } from '../../../../../prisma/work/providers/provider-configuration.js';
import { SealedValueUnreadable } from '../../../../../prisma/base/sealing/aes-gcm.js';
import { asText, describeSettings } from '../../adapter-options.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import type { CommandShell } from '../../operator-command.js';
import { presentConfiguration } from '../../operations/providers/present-configuration.js';
import { settingsOf } from './adapter-settings.js';
import { findConfiguration } from '../../operations/providers/find-configuration.js';
import { describeReport } from './provider-check-command.js';

export const PROVIDER_VIEW_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'providers list',
    help: 'list the configurations with their state, links and end of credentials',
    examples: ['providers list'],
    recorded: false,
    run: async ({ configurations, output }) => {
      const links = await configurations.countLinks();
      const rows = (await configurations.list()).map((found) => ({
        ...presentConfiguration(found),
        links: links.get(found.name) ?? 0,
      }));
      output.value(rows, () => table(rows));
    },
  },
  {
    name: 'providers show',
    help: 'show a configuration; of its secrets only which ones it has',
    examples: ['providers show simplefin'],
    recorded: false,
    arguments: (command) => command.argument('<name>'),
    run: async (service, name: string) => {
      const found = await findConfiguration(service, name);
      const links = (await service.configurations.countLinks()).get(name) ?? 0;
      const shown = {
        ...presentConfiguration(found),
        links,
        max_links: found.maxLinks,
        revision: found.revision,
        created_at: found.createdAt.toISOString(),
        settings: { ...presets(service.shell, found.adapter), ...found.settings },
        secrets: await namesOfSecrets(found),
        published_keys: found.publicKeys?.length ?? 0,
        report: found.report?.lines ?? null,
      };
      service.output.value(shown, () => {
        const { settings, report, ...facts } = shown;
        return [
          sheet(facts),
          'Settings',
          table(Object.entries(settings).map(([key, value]) => ({ key, value: asText(value) }))),
          ...(report === null ? [] : ['Last check', describeReport(report)]),
        ].join('\n\n');
      });
    },
  },
];

/** The values of omitted settings. */
function presets(shell: CommandShell, adapter: string) {
  try {
    return Object.fromEntries(
      describeSettings(settingsOf(shell, adapter))
        .filter(({ kind, default: preset }) => kind === 'setting' && preset !== null)
        .map(({ name, default: preset }) => [String(name), preset]),
    );
  } catch (error) {
    // An adapter that this version does not have.
    if (error instanceof CommandFailure) return {};
    throw error;
  }
}

async function namesOfSecrets({ openSecrets }: StoredConfiguration): Promise<string[]> {
  try {
    return Object.keys(await openSecrets()).sort();
  } catch (error) {
    if (!(error instanceof SealedValueUnreadable)) throw error;
    return ['(cannot be opened with these MASTER_KEYS)'];
  }
}
