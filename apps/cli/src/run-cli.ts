import { Command, CommanderError } from 'commander';
import { SettingsError, type Environment } from '../../platform/src/config/settings.js';
import { CommandFailure } from './command-failure.js';
import { printTo } from './output.js';
import type { Service } from './service.js';
import { unreachableReason } from './unreachable-reason.js';

/** Where a command is called. */
export interface Shell {
  /** Without the program's own name. */
  args: readonly string[];
  env: Environment;
  out(text: string): void;
  err(text: string): void;
}

type AddCommands = (
  program: Command,
  withService: (work: (service: Service) => Promise<void>) => Promise<void>,
) => void;

/** By the first word of a command. Loading all of them takes longer than most commands do. */
const COMMANDS: Record<string, () => Promise<AddCommands>> = {
  app: async () => (await import('./commands/app-commands.js')).addAppCommands,
  client: async () => (await import('./commands/client-commands.js')).addClientCommands,
  keys: async () => (await import('./commands/key-commands.js')).addKeyCommands,
  link: async () => (await import('./commands/link-commands.js')).addLinkCommands,
  delivery: async () => (await import('./commands/delivery-commands.js')).addDeliveryCommands,
  institution: async () => (await import('./commands/schedule-commands.js')).addScheduleCommands,
  provider: async () => (await import('./commands/schedule-commands.js')).addScheduleCommands,
  history: async () => (await import('./commands/history-commands.js')).addHistoryCommands,
};

/** @returns the status to end with */
export async function runCli({ args, env, out, err }: Shell): Promise<number> {
  const program = new Command('tributary')
    .description(
      'Operator commands. They find the service by DATABASE_URL and MASTER_KEYS, or in the data folder (DATA_DIR) of a running standalone.',
    )
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride();
  const withService = async (work: (service: Service) => Promise<void>): Promise<void> => {
    const { openService } = await import('./service.js');
    const service = openService(env, printTo(out));
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };
  for (const add of await wantedCommands(args[0])) add(program, withService);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // It has said so already.
    if (error instanceof CommanderError) return error.exitCode;
    const expected =
      error instanceof CommandFailure || error instanceof SettingsError
        ? error.message
        : unreachableReason(error);
    err(`${expected ?? stackOf(error)}\n`);
    return 1;
  }
}

/** Those of the command that is called; whoever asks what there is, or calls one that is not there, is shown all. */
async function wantedCommands(first: string | undefined): Promise<AddCommands[]> {
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
