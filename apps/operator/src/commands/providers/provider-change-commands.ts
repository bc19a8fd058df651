import { ENVIRONMENTS, type Environment } from '../../../../../domain/api/environment.js';
import type { ProviderNames } from '../../../../../domain/link/provider-name.js';
import { isUniqueViolation } from '../../../../../prisma/base/database/database-failures.js';
import {
  CONFIGURATION_NAME,
  RESERVED_NAMES,
} from '../../../../../prisma/work/providers/provider-configuration.js';
import { readSetOptions } from '../../adapter-options.js';
import { acceptSettings, changedBy } from '../../configuration-values.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { collect, oneOf, wholeNumber } from '../../../../../clients/terminal/src/option-values.js';
import { readSecrets } from '../../secret-input.js';
import type { OperatorCommand } from '../../operator-command.js';
import type { CommandService } from '../../operator-command.js';
import { settingsOf } from './adapter-settings.js';
import {
  findConfiguration,
  openSecrets,
  refuseUnknown,
} from '../../operations/providers/find-configuration.js';
import { reasonOption } from '../../reason-option.js';
import { RecordedOption } from '../../recorded-option.js';

interface AddOptions {
  name?: string;
  environment: Environment;
  set: string[];
  secret: string[];
  maxLinks?: number;
}

interface SetOptions {
  set: string[];
  unset: string[];
  repin?: boolean;
  maxLinks?: number | null;
}

interface RotateOptions {
  secret: string[];
  unset: string[];
}

const text = collect((option) => option);
const SECRET_HELP =
  'a secret, from a file (NAME=@FILE), standard input (NAME=-) or a prompt (NAME=prompt); repeatable';

const switching = (verb: 'enable' | 'disable', help: string): OperatorCommand => ({
  name: `providers ${verb}`,
  help,
  examples: [`providers ${verb} simplefin`],
  recorded: true,
  arguments: (command) => {
    command.argument('<name>');
    return verb === 'disable' ? command.addOption(reasonOption()) : command;
  },
  run: async ({ configurations, output }, name: string) => {
    if (!(await configurations.setEnabled(name, verb === 'enable'))) refuseUnknown(name);
    output.value({ name, enabled: verb === 'enable' }, () => `${name} is ${verb}d.`);
  },
});

export const PROVIDER_CHANGE_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'providers add',
    help: 'configure an adapter with your own keys; workers serve it immediately',
    examples: [
      'providers add simplefin',
      'providers add fdx --name first-bank --set institutions=@banks.json --secret signingKey=@signing-key.pem',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<adapter>', 'as `providers adapters` lists it')
        .addOption(
          new RecordedOption(
            '--name <name>',
            'name of the configuration; the name of the adapter if omitted',
          ),
        )
        .addOption(
          new RecordedOption(
            '--environment <environment>',
            "live, or sandbox for a vendor's sandbox, which belongs to our Sandbox",
          )
            .argParser(oneOf(...ENVIRONMENTS))
            .default('live'),
        )
        .option('--set <name=value>', 'a setting, or NAME=@FILE; repeatable', text, [])
        .option('--secret <name=source>', SECRET_HELP, text, [])
        .option('--max-links <number>', 'maximum number of links that it may serve', wholeNumber),
    run: async (
      { configurations, output, settings, shell },
      adapter: string,
      options: AddOptions,
    ) => {
      const schemas = settingsOf(shell, adapter);
      const name = checkName(options.name ?? adapter, settings);
      const { environment, maxLinks = null } = options;
      const values = acceptSettings(schemas, {
        environment,
        settings: await readSetOptions(options.set, schemas),
        secrets: await readSecrets(options.secret, shell.secretInput),
      });
      try {
        await configurations.add({ name, adapter, environment, ...values, maxLinks });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new CommandFailure(`There is already a configuration ${name}; give another --name.`);
      }
      output.value(
        { name, adapter, environment },
        () => `${name} is added. See whether its keys work: providers check ${name}`,
      );
    },
  },
  {
    name: 'providers set',
    help: 'change settings; new calls use them immediately',
    examples: [
      'providers set enable-banking --set countries=FI,SE,DE',
      'providers set simplefin --max-links 500',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<name>')
        .option('--set <name=value>', 'a setting, or NAME=@FILE; repeatable', text, [])
        .option('--unset <name>', 'return a setting to its default; repeatable', text, [])
        .option('--max-links <number|none>', 'maximum number of links that it may serve', (value) =>
          value === 'none' ? null : wholeNumber(value),
        )
        .option('--repin', 'replace the pinned values with the current ones'),
    run: async (service, name: string, options: SetOptions) => {
      const found = await findConfiguration(service, name);
      const schemas = settingsOf(service.shell, found.adapter);
      const { maxLinks, repin = false } = options;
      if (options.set.length + options.unset.length === 0 && maxLinks === undefined && !repin)
        throw new CommandFailure('Give --set, --unset, --max-links or --repin.');
      if (repin && schemas.pinned === undefined)
        throw new CommandFailure(`The adapter ${found.adapter} pins nothing.`);
      const settings = changedBy(
        found.settings,
        await readSetOptions(options.set, schemas),
        options.unset,
      );
      const { settings: accepted, publicKeys } = acceptSettings(schemas, {
        environment: found.environment,
        settings,
        secrets: await openSecrets(found),
      });
      const kept = repin
        ? schemas.pinned?.forget(accepted)
        : schemas.pinned?.keep(accepted, found.settings);
      await change(service, found, { settings: kept ?? accepted, publicKeys, maxLinks });
      service.output.value({ name }, () =>
        repin
          ? `${name} is changed. To see the pinned values: providers check ${name}`
          : `${name} is changed.`,
      );
    },
  },
  {
    name: 'providers rotate',
    help: 'replace secrets; new calls use them immediately',
    examples: ['providers rotate enable-banking --secret privateKey=@new-key.pem'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<name>')
        .option('--secret <name=source>', SECRET_HELP, text, [])
        .option('--unset <name>', 'remove an optional secret; repeatable', text, []),
    run: async (service, name: string, options: RotateOptions) => {
      const found = await findConfiguration(service, name);
      if (options.secret.length + options.unset.length === 0)
        throw new CommandFailure('Give --secret or --unset.');
      const given = await readSecrets(options.secret, service.shell.secretInput);
      const { secrets, publicKeys } = acceptSettings(settingsOf(service.shell, found.adapter), {
        environment: found.environment,
        settings: found.settings,
        secrets: changedBy(await openSecrets(found), given, options.unset),
      });
      await change(service, found, { secrets, publicKeys });
      service.output.value(
        { name, rotated: Object.keys(given) },
        () => `${name} has new secrets. See whether they work: providers check ${name}`,
      );
    },
  },
  switching('enable', 'enable a disabled configuration'),
  switching('disable', 'stop new logins and scheduled refreshes until it is enabled'),
  {
    name: 'providers remove',
    help: 'remove a configuration that no link uses, and erase its keys',
    examples: ['providers remove simplefin'],
    recorded: true,
    arguments: (command) => command.argument('<name>'),
    run: async ({ configurations, output }, name: string) => {
      const removal = await configurations.remove(name);
      if (removal.kind === 'unknown') refuseUnknown(name);
      if (removal.kind === 'in_use') throw new CommandFailure(describeUse(name, removal));
      output.value(
        { name, removed: true, unfinished_logins: removal.unfinished },
        () =>
          `${name} is removed, and its keys are erased.${describeUnfinished(removal.unfinished)}`,
      );
    },
  },
];

function checkName(name: string, { sandboxProviderName }: ProviderNames): string {
  if (RESERVED_NAMES.includes(name) || name === sandboxProviderName)
    throw new CommandFailure(`The name ${name} is reserved: no configuration can have it.`);
  if (!CONFIGURATION_NAME.test(name))
    throw new CommandFailure(
      'A name has up to 40 lower-case letters, digits and hyphens, and starts with a letter.',
    );
  return name;
}

async function change(
  { configurations }: CommandService,
  { name, revision }: { name: string; revision: number },
  changes: Parameters<CommandService['configurations']['change']>[2],
): Promise<void> {
  if (!(await configurations.change(name, revision, changes)))
    throw new CommandFailure(`${name} was changed by another operator in the meantime; try again.`);
}

function describeUnfinished(logins: number): string {
  if (logins === 0) return '';
  return ` ${logins === 1 ? 'One login' : `${logins} logins`} through it had no permission yet and cannot succeed any more.`;
}

function describeUse(
  name: string,
  { links, logins, revocations }: { links: number; logins: number; revocations: number },
): string {
  const uses = [
    ...(links > 0
      ? [`${links} ${links === 1 ? 'connected link uses' : 'connected links use'} it`]
      : []),
    ...(logins > 0
      ? [
          `${logins} ${logins === 1 ? 'login that its bank accepted is' : 'logins that their banks accepted are'} not finished`,
        ]
      : []),
    ...(revocations > 0 ? [`${revocations} permissions are still to be revoked through it`] : []),
  ];
  return [
    `${name} cannot be removed: ${uses.join(', and ')}.`,
    ...(links > 0 ? ['Delete these links, or let their users sign in through another one.'] : []),
    ...(logins > 0 ? ['Wait for the logins.'] : []),
    ...(revocations > 0 ? ['Wait for the revocations.'] : []),
    `Meanwhile \`providers disable ${name}\` ends its use.`,
  ].join(' ');
}
