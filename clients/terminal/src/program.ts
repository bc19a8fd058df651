import { Command, CommanderError } from 'commander';
import type { OutputStreams } from './output.js';
import { printableJson, printableLines } from './printable.js';
import type { ProgramCommand } from './program-command.js';

/** The environment that every program runs in. */
export interface ProgramShell extends OutputStreams {
  /** Without the name of the program. */
  args: readonly string[];
}

/** A failure, for the person at the terminal. */
export interface Explanation {
  /** The cause, and the remedy if there is one. */
  cause: string;
  next?: string;
  exitCode: number;
  /** `error_code` of the service. */
  code?: string;
}

/** @param values its arguments, then its options */
type Act = (values: never[], command: Command) => Promise<void>;

/**
 * A program without commands, which prints to the shell and never ends the process.
 * @param name as it is typed
 */
export function createProgram(
  name: string,
  about: string,
  { stdout, stderr }: OutputStreams,
): Command {
  return new Command(name)
    .description(about)
    .showHelpAfterError('Add --help to see the arguments and options.')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(withoutValues(text)),
    })
    .exitOverride();
}

/** Adds a command below the words of its name, each with the description of its group. */
export function addCommand(
  program: Command,
  { name, help, examples, arguments: addArguments }: Omit<ProgramCommand<never>, 'run'>,
  groups: Readonly<Record<string, string>>,
  act: Act,
): Command {
  const words = name.split(' ');
  const verb = words.pop() ?? '';
  let parent = program;
  for (const [at, word] of words.entries())
    parent =
      parent.commands.find((known) => known.name() === word) ??
      parent.command(word).description(groups[words.slice(0, at + 1).join(' ')] ?? '');
  const command = parent
    .command(verb)
    .description(help)
    .addHelpText('after', () =>
      ['\nExamples:', ...examples.map((line) => `  ${program.name()} ${line}`)].join('\n'),
    );
  addArguments?.(command);
  return command.option('--json', 'print JSON, for programs').action((...given: unknown[]) =>
    // Commander passes itself last.
    act(given.slice(0, -1) as never[], command),
  );
}

/** Runs the command that the arguments name. @returns the exit code */
export async function runProgram(
  program: Command,
  shell: ProgramShell,
  { explain, usage }: { explain: (error: unknown) => Explanation; usage: number },
): Promise<number> {
  try {
    await program.parseAsync([...shell.args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its own.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    return report(explain(error), shell);
  }
}

function report({ exitCode, ...failure }: Explanation, { args, stderr }: ProgramShell): number {
  const { cause, next } = failure;
  stderr.write(
    args.includes('--json')
      ? `${printableJson(JSON.stringify({ error: failure }))}\n`
      : printableLines(next === undefined ? `${cause}\n` : `${cause}\n${next}\n`),
  );
  return exitCode;
}

/** A secret may have been typed as the value of an option that does not exist. */
function withoutValues(text: string): string {
  return text.replace(/^error: /, '').replace(/('--?[^'=\s]+)=[^']*'/g, "$1'");
}
