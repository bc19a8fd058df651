import { Command } from 'commander';
import { SettingsError } from '../../platform/src/config/settings.js';
import { CommandFailure } from './command-failure.js';
import type { Service } from './service.js';
import { unreachableReason } from './unreachable-reason.js';

async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const { openService } = await import('./service.js');
  const service = openService(process.env);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

type AddCommands = (program: Command, withService: (work: (service: Service) => Promise<void>) => Promise<void>) => void;

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

/** Those of the command that is called; whoever asks what there is, or calls one that is not there, is shown all. */
async function wantedCommands(): Promise<AddCommands[]> {
  const called = Object.entries(COMMANDS).find(([word]) => word === process.argv[2])?.[1];
  return [...new Set(await Promise.all((called === undefined ? Object.values(COMMANDS) : [called]).map((load) => load())))];
}

const program = new Command('tributary')
  .description('Operator commands. The service is found by DATABASE_URL and MASTER_KEYS, or in the data folder (DATA_DIR) of a running standalone.')
  .showHelpAfterError('(add --help for the options)');
for (const add of await wantedCommands()) add(program, withService);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  const expected = error instanceof CommandFailure || error instanceof SettingsError ? error.message : unreachableReason(error);
  process.stderr.write(`${expected ?? stackOf(error)}\n`);
  process.exitCode = 1;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
