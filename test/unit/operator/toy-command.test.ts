import { Command } from 'commander';
import { COMMANDS } from '../../../apps/operator/src/commands/command-groups.js';
import { recordedAction } from '../../../apps/operator/src/recorded-command.js';
import { runCli } from '../../../apps/operator/src/run-cli.js';
import { addCommand } from '../../../clients/terminal/src/program.js';
import { commandsPage } from '../../../docs/generators/commands-page.mjs';
import { TOY_COMMANDS } from './toys/toy-command.js';

/** docs/contributing: the toy is a file, and one entry of one list. */
const GROUPS = { ...COMMANDS, toys: { about: 'toys', load: async () => TOY_COMMANDS } };

async function run(...args: string[]) {
  const printed = { stdout: '', stderr: '' };
  const status = await runCli(
    {
      args,
      env: {},
      stdout: { write: (text) => (printed.stdout += text) },
      stderr: { write: (text) => (printed.stderr += text) },
    },
    GROUPS,
  );
  return { status, ...printed };
}

describe('An operator command that is a file and an entry of the list of nouns', () => {
  it('is in the help of the program and of its noun', async () => {
    expect((await run('--help')).stdout).toMatch(/^ {2}toys +toys$/m);
    expect((await run('toys', '--help')).stdout).toMatch(/^ {2}order .*<toy> +order a toy$/m);
  });

  it('shows its examples with the name of the program in its help', async () => {
    expect((await run('toys', 'order', '--help')).stdout).toContain(
      '\nExamples:\n  npm run -s operator -- toys order kite --color red\n',
    );
  });

  it('is described on the page of operator commands', async () => {
    expect(await commandsPage(GROUPS, addCommand)).toContain(`\
## Toys

Toys.

### \`toys order <toy>\`

Order a toy. **Recorded.**

- \`--color <color>\`: its color
- \`--note <text>\`: a note for the maker

For example \`toys order kite --color red\`.
`);
  });

  it('refuses values before it looks for a service', async () => {
    expect(await run('toys', 'order', 'sledge')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no toy sledge.\n',
    });
    expect(await run('toys', 'order', 'sledge', '--json')).toMatchObject({
      stderr: '{"error":{"cause":"There is no toy sledge."}}\n',
    });
  });

  it('is recorded with the options that say so, and without the others', async () => {
    const [order] = TOY_COMMANDS;
    if (order === undefined) throw new Error('no toy');
    const subjects: unknown[] = [];
    const program = new Command();
    addCommand(program, order, {}, async (_values, command) => {
      subjects.push(recordedAction(order, command, 'ann')?.subject);
    });
    await program.parseAsync(['toys', 'order', 'kite', '--note', 'secret', '--color', 'red'], {
      from: 'user',
    });
    expect(subjects).toEqual(['kite --color red']);
  });
});
