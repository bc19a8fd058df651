import { Command } from 'commander';
import {
  COMMANDS,
  subjectsOf,
  wantedCommands,
} from '../../../apps/operator/src/commands/command-groups.js';
import { recordedAction } from '../../../apps/operator/src/recorded-command.js';
import { addCommand } from '../../../clients/terminal/src/program.js';

const operators = await wantedCommands(COMMANDS);

describe('Operator commands', () => {
  it('have names of their own, below words with an explanation', () => {
    const names = operators.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const groups = names.flatMap((name) =>
      name.split(' ').flatMap((_, at, words) => (at === 0 ? [] : [words.slice(0, at).join(' ')])),
    );
    expect([...new Set(groups)].sort()).toEqual(Object.keys(subjectsOf(COMMANDS)).sort());
  });

  it.each(Object.keys(COMMANDS))(
    'are loaded for the noun %s exactly if they start with it',
    async (noun) => {
      const begin = operators.filter(({ name }) => name.split(' ')[0] === noun);
      expect(await wantedCommands(COMMANDS, noun)).toEqual(begin);
    },
  );
});

describe('The record of operators', () => {
  it('contains the arguments and named options of a command, but no settings and secrets', async () => {
    const add = operators.find(({ name }) => name === 'providers add');
    if (add === undefined) throw new Error('no such command');
    const recorded: unknown[] = [];
    const program = new Command('tributary');
    addCommand(program, add, {}, async (_values, command) => {
      recorded.push(recordedAction(add, command, 'ann'));
    });
    await program.parseAsync(
      [
        ...['providers', 'add', 'fdx', '--name', 'bank'],
        ...['--set', 'url=https://x.example', '--secret', 'key=canary'],
      ],
      { from: 'user' },
    );
    expect(recorded).toEqual([
      { actor: 'ann', action: 'providers add', subject: 'fdx --environment live --name bank' },
    ]);
  });

  it('leaves out a command that only shows something', () => {
    const list = { name: 'apps list', recorded: false };
    expect(recordedAction(list, new Command('list'), 'ann')).toBeNull();
  });
});
