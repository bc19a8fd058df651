import {
  COMMANDS as OPERATOR,
  wantedCommands,
} from '../../../apps/operator/src/commands/command-groups.js';
import { operatorProgram } from '../../../apps/operator/src/run-cli.js';
import { COMMANDS as DEVELOPER } from '../../../clients/cli/src/commands/all-commands.js';
import { developerProgram } from '../../../clients/cli/src/run-cli.js';

/** As a shell splits them: quotes hold a word together. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

type ProgramOf = typeof operator | typeof developer;
type Note = (command: { name: string }) => Promise<void>;
const operator = (shell: Parameters<typeof operatorProgram>[0], note: Note) =>
  operatorProgram(shell, OPERATOR, note);
const developer = async (shell: Parameters<typeof developerProgram>[0], note: Note) =>
  developerProgram(shell, note);

/** The name of the command that the program would run. */
async function commandFor(line: string, programOf: ProgramOf): Promise<string> {
  const args = wordsOf(line);
  const printed: unknown[] = [];
  const stream = { write: (text: unknown) => printed.push(text) };
  const called: string[] = [];
  const program = await programOf({ args, stdout: stream, stderr: stream }, async ({ name }) => {
    called.push(name);
  });
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    throw new Error(`${line}: ${printed.join('')}`, { cause: error });
  });
  return called.join();
}

describe.each([
  ['operators', operator, await wantedCommands(OPERATOR)],
  ['developers', developer, DEVELOPER],
] as const)('The examples in the help of the program for %s', (_name, programOf, commands) => {
  it.each(commands.map(({ name, examples }) => [name, examples] as const))(
    'are accepted by its parser, and run the command that they explain: %s',
    async (name, examples) => {
      expect(examples).not.toEqual([]);
      for (const line of examples) expect(await commandFor(line, programOf)).toBe(name);
    },
  );
});
