import { Command } from 'commander';
import {
  commandName,
  IS_RECORDED,
  recordedAction,
} from '../../../apps/cli/src/recorded-command.js';
import { wantedCommands } from '../../../apps/cli/src/run-cli.js';

async function everyCommand(): Promise<Command[]> {
  const program = new Command('tributary');
  for (const add of await wantedCommands(undefined))
    add(program, async () => undefined, { err: () => undefined });
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  return leaves(program);
}

describe('the record of operators', () => {
  it('knows of every command whether it is recorded', async () => {
    expect((await everyCommand()).map(commandName).sort()).toEqual(Object.keys(IS_RECORDED).sort());
  });

  it('holds the arguments and named options of a command, but no settings and secrets', async () => {
    const add = (await everyCommand()).find(
      (command) => commandName(command) === 'providers add',
    ) as Command;
    add.action(() => undefined);
    await add.parseAsync(
      ['fdx', '--name', 'bank', '--set', 'url=https://x.example', '--secret', 'key=canary'],
      { from: 'user' },
    );
    expect(recordedAction(add, 'ann')).toEqual({
      actor: 'ann',
      action: 'providers add',
      subject: 'fdx --name bank',
    });
  });
});
