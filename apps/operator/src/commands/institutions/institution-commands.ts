import {
  CatalogChangeRefused,
  type CatalogOperatorRepository,
} from '../../../../../prisma/sources/catalog/catalog-operator.repository.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { presentControl, scheduleCommands } from '../schedule-commands.js';
import { lastSyncs, syncCatalogs } from './catalog-syncs.js';

const change = (
  name: string,
  help: string,
  placement: string,
  apply: (changes: CatalogOperatorRepository, ...values: string[]) => Promise<string>,
): OperatorCommand => ({
  name,
  help,
  examples: [`${name} ${placement.replaceAll(/[<>]/g, '').toUpperCase()}`],
  recorded: true,
  arguments: (command) => command.arguments(placement),
  run: async ({ catalogChanges, output }, ...given: (string | object)[]) => {
    const values = given.filter((value) => typeof value === 'string');
    const institutionId = await explained(apply(catalogChanges, ...values));
    output.value(
      { institution_id: institutionId },
      () => `${name.split(' ').at(-1)}: ${institutionId}`,
    );
  },
});

const hiding = (verb: 'hide' | 'unhide', help: string): OperatorCommand =>
  change(`institutions ${verb}`, help, '<institution_id>', async (changes, institutionId = '') => {
    if (!(await changes.setHidden(institutionId, verb === 'hide')))
      throw new CommandFailure(`There is no institution ${institutionId}.`);
    return institutionId;
  });

/** Providers' lists of institutions, and the operator's decisions about them. */
export const INSTITUTION_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'institutions list',
    help: 'list all institutions with their providers and schedules',
    examples: ['institutions list'],
    recorded: false,
    run: async ({ refreshControls, output }) => {
      const shown = (await refreshControls.institutions()).map(
        ({ institutionId, name, environment, country, providers, control }) => ({
          institution_id: institutionId,
          name,
          environment,
          country,
          providers,
          ...presentControl(control),
        }),
      );
      output.value(shown, () => table(shown));
    },
  },
  {
    name: 'institutions sync',
    help: 'sync the list of one configuration now, or of all; this also runs daily',
    examples: ['institutions sync', 'institutions sync simplefin --accept-losses'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('[name]', 'a configuration')
        .option(
          '--accept-losses',
          'accept the new list even if more than half of the known institutions are missing',
        ),
    run: async (service, name: string | undefined, options: { acceptLosses?: boolean }) => {
      const synced = await syncCatalogs(service, name, {
        acceptLosses: options.acceptLosses === true,
        report: (line) => service.output.note(line),
      });
      service.output.value(synced, () => table(synced));
      const failed = synced.filter(({ result }) => result !== 'switched');
      if (failed.length > 0)
        throw new CommandFailure(
          `Kept the old catalog of ${failed.map(({ provider }) => provider).join(', ')}.`,
        );
    },
  },
  {
    name: 'institutions status',
    help: 'show how many institutions each provider lists, and how its last sync ended',
    examples: ['institutions status'],
    recorded: false,
    run: async (service) => {
      const shown = await lastSyncs(service);
      service.output.value(shown, () => table(shown));
    },
  },
  {
    name: 'institutions find',
    help: "find institutions by id, by a provider's id, or by words of their names",
    examples: ['institutions find "first bank"'],
    recorded: false,
    arguments: (command) => command.argument('<text>'),
    run: async ({ catalogChanges, output }, text: string) => {
      const found = (await catalogChanges.find(text)).map(({ institutionId, ...facts }) => ({
        institution_id: institutionId,
        ...facts,
      }));
      output.value(found, () => table(found));
    },
  },
  {
    name: 'institutions doubts',
    help: 'list entries that may belong to an institution but were kept apart',
    examples: ['institutions doubts'],
    recorded: false,
    run: async ({ catalogChanges, output }) => {
      const doubts = (await catalogChanges.doubts()).map(
        ({ remoteId, institutionId, doubts: others, ...facts }) => ({
          ...facts,
          remote_id: remoteId,
          institution_id: institutionId,
          may_be: others,
        }),
      );
      output.value(doubts, () => table(doubts));
    },
  },
  change(
    'institutions join',
    "join a provider's entry with an institution; later lists keep it there",
    '<provider> <remote_id> <institution_id>',
    async (changes, provider = '', remoteId = '', institutionId = '') => {
      await changes.join(provider, remoteId, institutionId);
      return institutionId;
    },
  ),
  change(
    'institutions split',
    "separate a provider's entry from its institution; later lists keep it separate",
    '<provider> <remote_id>',
    (changes, provider = '', remoteId = '') => changes.split(provider, remoteId),
  ),
  hiding('hide', 'stop offering an institution; its links keep working'),
  hiding('unhide', 'offer a hidden institution again'),
  ...scheduleCommands('institution'),
];

async function explained<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof CatalogChangeRefused) throw new CommandFailure(error.message);
    throw error;
  }
}
