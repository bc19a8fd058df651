import { Tributary } from '@tributary/node';
import { Command, CommanderError } from 'commander';
import type { CliCommand, CommandContext } from './cli-command.js';
import { COMMANDS, GROUPS } from './commands/all-commands.js';
import { EXIT } from './exit-codes.js';
import { explainFailure } from './explain-failure.js';
import { Output } from './output/output.js';
import { printableJson, printableLines } from './output/printable.js';
import { chooseKeyPair } from './profiles/choose-key-pair.js';
import { ProfileFile } from './profiles/profile-file.js';
import { Prompts } from './prompts.js';
import { version } from './version.js';

export interface Shell {
  /** Without the name of the program. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stop: AbortSignal;
}

interface GlobalOptions {
  json?: boolean;
  profile?: string;
}

/** @returns the exit code */
export async function runCli(shell: Shell): Promise<number> {
  const { args, stdout, stderr } = shell;
  let exitCode: number = EXIT.done;
  const program = new Command('tributary')
    .description('Listen to webhooks, link a bank, look at links and drive the Sandbox.')
    .version(version, '-V, --version')
    .showHelpAfterError('Add --help to see the arguments and options.')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(withoutValues(text)),
    })
    .exitOverride();
  for (const command of COMMANDS)
    addCommand(program, command, async (values, options) => {
      const context = contextOf(shell, options);
      exitCode = (await command.run(context, ...(values as never[]))) ?? EXIT.done;
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    return report(error, shell);
  }
}

function report(error: unknown, { args, stderr }: Shell): number {
  const { exitCode, cause, next, code } = explainFailure(error);
  stderr.write(
    args.includes('--json')
      ? `${printableJson(JSON.stringify({ error: { cause, next, ...(code === undefined ? {} : { code }) } }))}\n`
      : printableLines(`${cause}\n${next}\n`),
  );
  return exitCode;
}

/** A secret may have been typed as the value of an option that does not exist. */
function withoutValues(text: string): string {
  return text.replace(/^error: /, '').replace(/('--?[^'=\s]+)=[^']*'/g, "$1'");
}

function addCommand(
  program: Command,
  command: CliCommand,
  act: (values: unknown[], options: GlobalOptions) => Promise<void>,
): void {
  const words = command.name.split(' ');
  const verb = words.pop() ?? '';
  const [group] = words;
  const parent =
    group === undefined
      ? program
      : (program.commands.find((known) => known.name() === group) ??
        program.command(group).description(GROUPS[group] ?? ''));
  const added = parent.command(verb).description(command.help);
  command.arguments?.(added);
  added
    .option('--json', 'print JSON: one value, or one line for each row')
    .option('--profile <name>', 'use this profile')
    .action((...given: unknown[]) => {
      const values = given.slice(0, -1);
      return act(values, values.at(-1) as GlobalOptions);
    });
}

function contextOf(shell: Shell, { json, profile }: GlobalOptions): CommandContext {
  const { env, stdin, stdout, stderr, stop } = shell;
  const profiles = new ProfileFile(env);
  const keyPair = () => chooseKeyPair(profiles, env, profile);
  return {
    output: new Output({ stdout, stderr }, env, json === true),
    prompts: new Prompts(stdin.isTTY === true && stdout.isTTY === true && json !== true),
    profiles,
    profileName: profile,
    env,
    stdin,
    stop,
    keyPair,
    client: async () => {
      const { baseUrl, clientId, clientSecret } = await keyPair();
      return new Tributary({
        baseUrl,
        clientId,
        clientSecret,
        environment: environmentOf(clientId),
      });
    },
  };
}

/** Given, so that the client does not look for it in the environment. */
function environmentOf(clientId: string): 'sandbox' | 'live' | undefined {
  return (['sandbox', 'live'] as const).find((name) => clientId.startsWith(`${name}_`));
}
