import type { Command } from 'commander';
import {
  ENVIRONMENTS,
  type Environment,
  type Restriction,
} from '../../../../../domain/api/environment.js';
import { MAX_RESTRICTED_TO } from '../../../../../domain/api/restriction.js';
import { SCOPES, type Scope } from '../../../../../domain/api/scopes.js';
import { LIMITED_PAIR_PERCENT } from '../../../../../domain/limits/pair-share.js';
import type { PairLimits } from '../../../../../prisma/tenants/applications/key-pair.repository.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { collect, oneOf } from '../../../../../clients/terminal/src/option-values.js';
import { future, id, label, percent } from '../../option-parsers.js';
import { sheet } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { createPair, pairOf, unknownApp, unknownPair } from '../../operations/pairs/create-pair.js';
import { presentPair } from '../../operations/pairs/present-pair.js';
import { RecordedOption } from '../../recorded-option.js';

interface LimitOptions {
  scope?: Scope[];
  user?: string[];
  link?: string[];
  ends?: Date;
  rate?: number;
}

interface CreateOptions extends LimitOptions {
  environment: Environment;
  label?: string;
}

interface RestrictOptions extends LimitOptions {
  allScopes?: boolean;
  allLinks?: boolean;
  neverEnds?: boolean;
  defaultRate?: boolean;
}

function limitOptions(command: Command): Command {
  return command
    .addOption(
      new RecordedOption(
        '--scope <scope>',
        `scope that its tokens may have, and no other, of ${SCOPES.join(', ')}; repeatable`,
      ).argParser(collect(oneOf(...SCOPES))),
    )
    .option(
      '--user <id>',
      'user that it reaches, by your own id, and no other; repeatable',
      collect(id),
    )
    .option('--link <id>', 'link that it reaches, and no other; repeatable', collect(id))
    .option(
      '--ends <date>',
      'when it ends: a date (its start in UTC) or a time of ISO 8601',
      future,
    )
    .addOption(
      new RecordedOption(
        '--rate <percent>',
        `its share of the limits of the app: of calls, listeners, exports and what the app may use per day; default ${LIMITED_PAIR_PERCENT}% with --scope, --user or --link, else 100%`,
      ).argParser(percent),
    );
}

/** The key pairs of an app and their limits. */
export const PAIR_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'clients list',
    help: 'list the key pairs of an app with their limits, oldest first',
    examples: ['clients list pocket-ledger'],
    recorded: false,
    arguments: (command) => command.argument('<app_id>'),
    run: async ({ applications, keyPairs, output }, appId: string) => {
      if ((await applications.getApplication(appId)) === null) throw unknownApp(appId);
      const pairs = (await keyPairs.list(appId)).map(presentPair);
      output.value(pairs, () => pairs.map(describe).join('\n\n') || '(none)');
    },
  },
  {
    name: 'clients create',
    help: 'create another key pair of an app, which may be limited; the secret is shown only once',
    examples: [
      'clients create pocket-ledger --environment live --label reports --scope links:read --scope transactions:read',
    ],
    recorded: true,
    arguments: (command) =>
      limitOptions(
        command
          .argument('<app_id>')
          .addOption(
            new RecordedOption(`--environment <${ENVIRONMENTS.join('|')}>`, 'environment')
              .argParser(oneOf(...ENVIRONMENTS))
              .makeOptionMandatory(),
          )
          .addOption(
            new RecordedOption('--label <label>', 'name of the pair in lists').argParser(label),
          ),
      ),
    check: (_: string, options: CreateOptions) => refuseLimits(options),
    run: async (service, appId: string, options: CreateOptions) => {
      const { pair, clientSecret } = await createPair(service, {
        appId,
        environment: options.environment,
        label: options.label ?? null,
        scopes: options.scope ?? null,
        restriction: restrictionOf(options) ?? null,
        endsAt: options.ends ?? null,
        sharePercent: options.rate ?? null,
      });
      const shown = presentPair(pair);
      service.output.value(
        { ...shown, client_secret: clientSecret },
        () =>
          `${describe(shown)}\n${sheet({ client_secret: clientSecret })}\n\nKeep the secret: it is stored only as a hash.`,
      );
    },
  },
  {
    name: 'clients restrict',
    help: 'change the limits of a key pair, also for its tokens, immediately; others stay as they are',
    examples: [
      'clients restrict CLIENT_ID --link LINK_ID --rate 10%',
      'clients restrict CLIENT_ID --all-links --never-ends',
    ],
    recorded: true,
    arguments: (command) =>
      limitOptions(command.argument('<client_id>'))
        .addOption(new RecordedOption('--all-scopes', 'lift the limit to scopes'))
        .addOption(new RecordedOption('--all-links', 'lift the limit to users or links'))
        .addOption(new RecordedOption('--never-ends', 'lift the end'))
        .addOption(new RecordedOption('--default-rate', 'give it the default share of the limits')),
    check: (_: string, options: RestrictOptions) => {
      refuseLimits(options);
      if (Object.keys(changesOf(options)).length === 0)
        throw new CommandFailure('Name a limit to change, such as --scope.');
    },
    run: async ({ keyPairs, output }, clientId: string, options: RestrictOptions) => {
      const outcome = await keyPairs.restrict(clientId, changesOf(options));
      const shown = presentPair(pairOf(outcome, unknownPair(clientId)));
      output.value(shown, () => describe(shown));
    },
  },
];

/** @throws CommandFailure for options that exclude each other, and for too many */
function refuseLimits(options: RestrictOptions): void {
  const exclusive = [
    ['user', 'link', 'allLinks'],
    ['scope', 'allScopes'],
    ['ends', 'neverEnds'],
    ['rate', 'defaultRate'],
  ] as const;
  for (const names of exclusive) {
    const given = names.filter((name) => options[name] !== undefined);
    if (given.length > 1)
      throw new CommandFailure(`Give only one of ${given.map(optionName).join(' and ')}.`);
  }
  const { user = [], link = [] } = options;
  if (user.length + link.length > MAX_RESTRICTED_TO)
    throw new CommandFailure(
      `A key pair is limited to at most ${MAX_RESTRICTED_TO} users or links.`,
    );
}

function optionName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function changesOf(options: RestrictOptions): Partial<PairLimits> {
  const { scope: scopes, ends, rate, allScopes, allLinks, neverEnds, defaultRate } = options;
  const restriction = allLinks === true ? null : restrictionOf(options);
  return {
    ...(scopes === undefined ? {} : { scopes }),
    ...(allScopes === true ? { scopes: null } : {}),
    ...(restriction === undefined ? {} : { restriction }),
    ...(ends === undefined ? {} : { endsAt: ends }),
    ...(neverEnds === true ? { endsAt: null } : {}),
    ...(rate === undefined ? {} : { sharePercent: rate }),
    ...(defaultRate === true ? { sharePercent: null } : {}),
  };
}

function restrictionOf({ user: users, link: links }: LimitOptions): Restriction | undefined {
  if (users !== undefined) return { users };
  return links === undefined ? undefined : { links };
}

function describe(pair: ReturnType<typeof presentPair>): string {
  const isWhole = pair.scopes.length === SCOPES.length;
  return sheet({ ...pair, scopes: isWhole ? 'all' : pair.scopes });
}
