import { Command } from 'commander';
import { GROUPS } from './commands/command-groups.js';
import type { OperatorCommand } from './operator-command.js';

/** @param values its arguments, then its options */
type Act = (operator: OperatorCommand, values: never[], command: Command) => Promise<void>;

/** Adds a command below the words of its name, at most three. */
export function addCommand(program: Command, operator: OperatorCommand, act: Act): Command {
  const words = operator.name.split(' ');
  const verb = words.pop() ?? '';
  let parent = program;
  for (const [at, word] of words.entries())
    parent =
      parent.commands.find((known) => known.name() === word) ??
      parent.command(word).description(GROUPS[words.slice(0, at + 1).join(' ')] ?? '');
  const command = parent.command(verb).description(operator.help);
  operator.arguments?.(command);
  return command.option('--json', 'print JSON, for programs').action((...given: unknown[]) => {
    const values = given.slice(0, -1) as never[];
    return act(operator, values, command);
  });
}
