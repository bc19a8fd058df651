import { Command } from 'commander';
import { SettingsError } from '../../platform/src/config/settings.js';
import { CommandFailure } from './command-failure.js';
import { addAppCommands } from './commands/app-commands.js';
import { addClientCommands } from './commands/client-commands.js';
import { addDeliveryCommands } from './commands/delivery-commands.js';
import { addHistoryCommands } from './commands/history-commands.js';
import { addKeyCommands } from './commands/key-commands.js';
import { addLinkCommands } from './commands/link-commands.js';
import { addScheduleCommands } from './commands/schedule-commands.js';
import { openService, type Service } from './service.js';
import { unreachableReason } from './unreachable-reason.js';

async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const service = openService(process.env);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

const program = new Command('tributary')
  .description('Operator commands. The service is found by DATABASE_URL and MASTER_KEYS, or in the data folder (DATA_DIR) of a running standalone.')
  .showHelpAfterError('(add --help for the options)');
for (const add of [addAppCommands, addClientCommands, addKeyCommands, addLinkCommands, addDeliveryCommands, addScheduleCommands, addHistoryCommands]) add(program, withService);

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
