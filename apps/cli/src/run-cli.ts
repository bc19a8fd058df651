import { Command, CommanderError } from 'commander';
import type { AdapterSettings } from '../../../providers/adapter.js';
import { MasterKeysRefused } from '../../../prisma/master-keys/master-key.repository.js';
import type { OperatorAction } from '../../../prisma/operator-actions/operator-action.repository.js';
import { SettingsError, type Environment } from '../../platform/src/config/settings.js';
import { ServiceNotFound } from '../../platform/src/process/find-service.js';
import { CommandFailure } from './command-failure.js';
import { printTo } from './output.js';
import { recordedAction } from './recorded-command.js';
import type { SecretInput } from './secret-input.js';
import type { Service, ServiceOptions } from './service.js';
import { unreachableReason } from './unreachable-reason.js';

/** The environment a command runs in. */
export interface Shell {
  /** Without the name of the program. */
  args: readonly string[];
  env: Environment;
  out(text: string): void;
  err(text: string): void;
  /** Where secrets come from; missing = standard input and the terminal. */
  secretInput?: SecretInput;
  /** Writes the log line of a recorded command; missing = none is written. */
  log?(fields: OperatorAction, message: string): Promise<void> | void;
  /** The settings of each adapter; missing = those of this version. */
  adapters?: Readonly<Record<string, AdapterSettings>>;
}

type AddCommands = (
  program: Command,
  withService: (
    work: (service: Service) => Promise<void>,
    options?: ServiceOptions,
  ) => Promise<void>,
  shell: Pick<Shell, 'secretInput' | 'adapters' | 'err'>,
) => void;

/** By the first word of a command. Loading all of them takes longer than most commands do. */
const COMMANDS: Record<string, () => Promise<AddCommands>> = {
  app: async () => (await import('./commands/app-commands.js')).addAppCommands,
  client: async () => (await import('./commands/client-commands.js')).addClientCommands,
  keys: async () => (await import('./commands/key-commands.js')).addKeyCommands,
  link: async () => (await import('./commands/link-commands.js')).addLinkCommands,
  links: async () => (await import('./commands/link-commands.js')).addLinkCommands,
  routes: async () => (await import('./commands/route-commands.js')).addRouteCommands,
  delivery: async () => (await import('./commands/delivery-commands.js')).addDeliveryCommands,
  institution: async () => (await import('./commands/schedule-commands.js')).addScheduleCommands,
  institutions: async () =>
    (await import('./commands/institution-commands.js')).addInstitutionCommands,
  provider: async () => (await import('./commands/schedule-commands.js')).addScheduleCommands,
  providers: async () => (await import('./commands/providers-commands.js')).addProvidersCommands,
  quotas: async () => (await import('./commands/quota-commands.js')).addQuotaCommands,
  temporal: async () => {
    const { addTemporalCommands } = await import('./commands/temporal-commands.js');
    const { addWorkerVersionCommands } = await import('./commands/worker-version-commands.js');
    return (program, withService, shell) => {
      addTemporalCommands(program, withService, shell);
      addWorkerVersionCommands(program, withService);
    };
  },
  recover: async () => (await import('./commands/recover-command.js')).addRecoverCommand,
  history: async () => (await import('./commands/history-commands.js')).addHistoryCommands,
};

/** @returns the exit status */
export async function runCli(shell: Shell): Promise<number> {
  const { args, env, out, err } = shell;
  const program = new Command('tributary')
    .description(
      'Operator commands. They find the service by DATABASE_URL and MASTER_KEYS, or in the data folder (DATA_DIR) of a running standalone.',
    )
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({ writeOut: out, writeErr: err })
    .option('--by <name>', 'who runs the command, for the record of operators; else user@host')
    .exitOverride();
  let action: Omit<OperatorAction, 'outcome'> | null = null;
  program.hook('preAction', (_program, command) => {
    action = recordedAction(command, program.opts<{ by?: string }>().by);
  });
  const withService: Parameters<AddCommands>[1] = async (work, options) => {
    const { openService } = await import('./service.js');
    const service = openService(env, printTo(out), options);
    try {
      await service.masterKeys.check();
      if (action === null) await work(service);
      else await recordWork(service, action, { shell, work: () => work(service) });
    } finally {
      await service.close();
    }
  };
  for (const add of await wantedCommands(args[0])) add(program, withService, shell);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed it.
    if (error instanceof CommanderError) return error.exitCode;
    const expected =
      error instanceof CommandFailure ||
      error instanceof ServiceNotFound ||
      error instanceof SettingsError ||
      error instanceof MasterKeysRefused
        ? error.message
        : unreachableReason(error);
    err(`${expected ?? stackOf(error)}\n`);
    return 1;
  }
}

/** Records a command before it changes anything, and its outcome. A command that cannot be recorded does not run. */
async function recordWork(
  { actions }: Service,
  action: Omit<OperatorAction, 'outcome'>,
  { shell, work }: { shell: Shell; work: () => Promise<void> },
): Promise<void> {
  const record = async (outcome: OperatorAction['outcome']): Promise<void> => {
    await actions.record({ ...action, outcome });
    await shell.log?.({ ...action, outcome }, 'audit.command');
  };
  await record('started');
  try {
    await work();
  } catch (error) {
    await record('failed');
    throw error;
  }
  await record('succeeded');
}

/**
 * The commands to load: those of the called command, or all for help and for an unknown command.
 */
export async function wantedCommands(first: string | undefined): Promise<AddCommands[]> {
  const called = Object.entries(COMMANDS).find(([word]) => word === first)?.[1];
  return [
    ...new Set(
      await Promise.all(
        (called === undefined ? Object.values(COMMANDS) : [called]).map((load) => load()),
      ),
    ),
  ];
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
