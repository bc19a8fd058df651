import type { SandboxCreateFaultRequest, World } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { positiveNumber } from '../../../terminal/src/option-values.js';
import { sheet } from '../../../terminal/src/table.js';

interface FaultOptions {
  operation?: string;
  count?: number;
  always?: boolean;
  world?: string;
}

export const SANDBOX_COMMANDS: readonly CliCommand[] = [
  {
    name: 'worlds list',
    help: 'list the worlds of the app',
    examples: ['worlds list'],
    run: async ({ client, output }) => {
      const { worlds } = await (await client()).sandbox.listWorlds();
      await output.list(rowsOf(worlds), worldRow);
    },
  },
  {
    name: 'worlds create',
    help: 'create a world, whose clock moves only by `worlds advance`',
    examples: ['worlds create --name summer --start 2026-06-01T00:00:00Z --seed 7'],
    arguments: (command) =>
      command
        .option('--name <name>')
        .option('--start <timestamp>', 'the time of its clock')
        .option('--seed <number>', 'the same seed and calls produce the same data', positiveNumber),
    run: async ({ client, output }, options: { name?: string; start?: string; seed?: number }) => {
      const { name, start, seed } = options;
      const world = await (
        await client()
      ).sandbox.createWorld({
        ...(name === undefined ? {} : { name }),
        ...(start === undefined ? {} : { start }),
        ...(seed === undefined ? {} : { seed }),
      });
      output.value(world, () => sheet(worldRow(world)));
    },
  },
  {
    name: 'worlds get',
    help: 'show a world and its clock',
    examples: ['worlds get WORLD_ID'],
    arguments: (command) => command.argument('<world_id>'),
    run: async ({ client, output }, worldId: string) => {
      const world = await (await client()).sandbox.getWorld(worldId);
      output.value(world, () => sheet(worldRow(world)));
    },
  },
  {
    name: 'worlds advance',
    help: 'move the clock of a world, with everything that happens meanwhile',
    examples: ['worlds advance WORLD_ID P1D'],
    arguments: (command) =>
      command.argument('<world_id>').argument('<duration>', 'ISO 8601, such as P1D or PT6H'),
    run: async ({ client, output }, worldId: string, by: string) => {
      const advanced = await (await client()).sandbox.advanceWorld(worldId, { by });
      output.value(advanced, () =>
        sheet({ now: advanced.world.now, ...advanced.ran, settled: advanced.settled }),
      );
    },
  },
  {
    name: 'worlds delete',
    help: 'delete a world with its links',
    examples: ['worlds delete WORLD_ID --yes'],
    arguments: (command) => command.argument('<world_id>').option('--yes', 'do not ask'),
    run: async ({ client, output, prompts }, worldId: string, { yes }: { yes?: boolean }) => {
      if (yes !== true)
        await prompts.confirm(`Delete the world ${worldId} and its links?`, '--yes');
      await (await client()).sandbox.deleteWorld(worldId);
      output.value({ world_id: worldId }, () => `Deleted ${worldId}.`);
    },
  },
  {
    name: 'fault create',
    help: 'make a sandbox bank fail for this app',
    examples: ['fault create INSTITUTION_ID timeout --operation transactions --count 3'],
    arguments: (command) =>
      command
        .argument('<institution_id>')
        .argument('<kind>', 'such as timeout, server_error, auth_expired, no_permission')
        .option('--operation <name>', 'login, accounts, transactions …; any by default')
        .option('--count <number>', 'how many times; once by default', positiveNumber)
        .option('--always', 'until it is deleted')
        .option('--world <world_id>'),
    run: async ({ client, output }, bank: string, kind: string, options: FaultOptions) => {
      const { operation, count, always, world } = options;
      const fault = await (
        await client()
      ).sandbox.createFault(bank, {
        kind,
        ...(operation === undefined ? {} : { operation }),
        ...(count === undefined ? {} : { count }),
        ...(always === true ? { count: null } : {}),
        ...(world === undefined ? {} : { world_id: world }),
      } as SandboxCreateFaultRequest);
      output.value(fault, () => sheet({ ...fault }));
    },
  },
  {
    name: 'fault list',
    help: 'list the faults of a sandbox bank',
    examples: ['fault list INSTITUTION_ID'],
    arguments: (command) => command.argument('<institution_id>'),
    run: async ({ client, output }, bank: string) => {
      const { faults } = await (await client()).sandbox.listFaults(bank);
      await output.list(rowsOf(faults), ({ fault_id, world_id, operation, kind, remaining }) => ({
        fault_id,
        world_id,
        operation,
        kind,
        remaining: remaining ?? 'always',
      }));
    },
  },
  {
    name: 'fault delete',
    help: 'end a fault',
    examples: ['fault delete FAULT_ID'],
    arguments: (command) => command.argument('<fault_id>'),
    run: async ({ client, output }, faultId: string) => {
      await (await client()).sandbox.deleteFault(faultId);
      output.value({ fault_id: faultId }, () => `Ended ${faultId}.`);
    },
  },
];

function worldRow({ world_id, name, now, seed }: World) {
  return { world_id, name, now, seed };
}

async function* rowsOf<T>(rows: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* rows;
}
