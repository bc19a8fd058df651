import type { Command } from 'commander';
import {
  CatalogueChangeRefused,
  type CatalogueOperatorRepository,
} from '../../../../prisma/catalogue/catalogue-operator.repository.js';
import { CommandFailure } from '../command-failure.js';
import { table, type OutputOptions } from '../output.js';
import type { Shell } from '../run-cli.js';
import type { Service } from '../service.js';
import { lastSyncs, syncCatalogues } from './catalogue-syncs.js';

type WithService = (work: (service: Service) => Promise<void>) => Promise<void>;

/** What providers list as institutions, and what the operator decides about it. */
export function addInstitutionCommands(
  program: Command,
  withService: WithService,
  { err }: Pick<Shell, 'err'>,
): void {
  const institutions = program
    .command('institutions')
    .description("the catalogue of institutions, made from providers' lists");

  institutions
    .command('sync')
    .description('read the list of a configuration now, or of all; every day it happens by itself')
    .argument('[name]', 'a configuration')
    .option(
      '--accept-losses',
      'switch even if more than half of the known institutions are missing',
    )
    .option('--json', 'print a JSON array')
    .action((name: string | undefined, options: OutputOptions & { acceptLosses?: boolean }) =>
      withService(async (service) => {
        const synced = await syncCatalogues(service, name, {
          acceptLosses: options.acceptLosses === true,
          report: (line) => err(`${line}\n`),
        });
        service.print(synced, options, () => table(synced));
        const failed = synced.filter(({ result }) => result !== 'switched');
        if (failed.length > 0)
          throw new CommandFailure(
            `Kept the old catalogue of ${failed.map(({ provider }) => provider).join(', ')}.`,
          );
      }),
    );

  institutions
    .command('status')
    .description('show of each provider how many institutions it lists and how the last sync ended')
    .option('--json', 'print a JSON array')
    .action((options: OutputOptions) =>
      withService(async (service) => {
        const shown = await lastSyncs(service);
        service.print(shown, options, () => table(shown));
      }),
    );

  institutions
    .command('find')
    .description("find institutions by id, by a provider's id, or by words of their names")
    .argument('<text>')
    .option('--json', 'print a JSON array')
    .action((text: string, options: OutputOptions) =>
      withService(async ({ catalogueChanges, print }) => {
        const found = (await catalogueChanges.find(text)).map(({ institutionId, ...facts }) => ({
          institution_id: institutionId,
          ...facts,
        }));
        print(found, options, () => table(found));
      }),
    );

  institutions
    .command('doubts')
    .description('list entries that stayed apart from institutions that they may be')
    .option('--json', 'print a JSON array')
    .action((options: OutputOptions) =>
      withService(async ({ catalogueChanges, print }) => {
        const doubts = (await catalogueChanges.doubts()).map(
          ({ remoteId, institutionId, doubts: others, ...facts }) => ({
            ...facts,
            remote_id: remoteId,
            institution_id: institutionId,
            may_be: others,
          }),
        );
        print(doubts, options, () => table(doubts));
      }),
    );

  const change = (
    verb: string,
    description: string,
    placement: string,
    apply: (changes: CatalogueOperatorRepository, ...values: string[]) => Promise<string>,
  ) =>
    institutions
      .command(verb)
      .description(description)
      .arguments(placement)
      .option('--json', 'print one JSON object')
      .action((...args: unknown[]) =>
        withService(async ({ catalogueChanges, print }) => {
          const values = args.filter((value) => typeof value === 'string');
          const institutionId = await explained(apply(catalogueChanges, ...values));
          const options = args.find(isOptions) ?? {};
          print({ institution_id: institutionId }, options, () => `${verb}: ${institutionId}`);
        }),
      );
  change(
    'join',
    "join a provider's entry with an institution; later lists keep it there",
    '<provider> <remote_id> <institution_id>',
    async (changes, provider = '', remoteId = '', institutionId = '') => {
      await changes.join(provider, remoteId, institutionId);
      return institutionId;
    },
  );
  change(
    'split',
    "separate a provider's entry from what it was joined with; later lists keep it apart",
    '<provider> <remote_id>',
    (changes, provider = '', remoteId = '') => changes.split(provider, remoteId),
  );
  for (const [verb, hidden, description] of [
    ['hide', true, 'stop offering an institution; its links work on'],
    ['unhide', false, 'offer a hidden institution again'],
  ] as const)
    change(verb, description, '<institution_id>', async (changes, institutionId = '') => {
      if (!(await changes.setHidden(institutionId, hidden)))
        throw new CommandFailure(`There is no institution ${institutionId}.`);
      return institutionId;
    });
}

function isOptions(value: unknown): value is OutputOptions {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

async function explained<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof CatalogueChangeRefused) throw new CommandFailure(error.message);
    throw error;
  }
}
