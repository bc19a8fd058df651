import { Tributary } from '@tributary/node';
import type { Command } from 'commander';
import { Output, type OutputStreams } from '../../terminal/src/output.js';
import {
  addCommand,
  createProgram,
  runProgram,
  type ProgramShell,
} from '../../terminal/src/program.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { COMMANDS, GROUPS } from './commands/all-commands.js';
import { EXIT } from './exit-codes.js';
import { explainFailure } from './explain-failure.js';
import { chooseKeyPair } from './profiles/choose-key-pair.js';
import { ProfileFile } from './profiles/profile-file.js';
import { Prompts } from './prompts.js';
import { version } from './generated/version.js';

export interface Shell extends ProgramShell {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  stop: AbortSignal;
}

interface GlobalOptions {
  json?: boolean;
  profile?: string;
}

/** The program with every command, each of which `act` runs. */
export function developerProgram(
  streams: OutputStreams,
  act: (command: CliCommand, values: never[], options: GlobalOptions) => Promise<void>,
): Command {
  const program = createProgram(
    'tributary',
    'Listen to webhooks, link a bank, look at links and drive the Sandbox.',
    streams,
  ).version(version, '-V, --version');
  for (const command of COMMANDS)
    addCommand(program, command, GROUPS, (values, added) =>
      act(command, values, added.opts<GlobalOptions>()),
    ).option('--profile <name>', 'use this profile');
  return program;
}

/** @returns the exit code */
export async function runCli(shell: Shell): Promise<number> {
  let exitCode: number = EXIT.done;
  let typed: string | undefined;
  const program = developerProgram(shell, async (command, values, options) => {
    typed = command.name;
    exitCode = (await command.run(contextOf(shell, options), ...values)) ?? EXIT.done;
  });
  const ended = await runProgram(program, shell, {
    explain: (error) => explainFailure(error, typed),
    usage: EXIT.usage,
  });
  return ended === EXIT.done ? exitCode : ended;
}

function contextOf(shell: Shell, { json, profile }: GlobalOptions): CommandContext {
  const { env, stdin, stdout, stderr, stop } = shell;
  const profiles = new ProfileFile(env);
  const keyPair = () => chooseKeyPair(profiles, env, profile);
  return {
    output: new Output({ stdout, stderr }, env, { isJson: json === true }),
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
