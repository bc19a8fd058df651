import { Tributary } from '@tributary/node';
import { Output } from '../../terminal/src/output.js';
import {
  addCommand,
  createProgram,
  runProgram,
  type ProgramShell,
} from '../../terminal/src/program.js';
import type { CommandContext } from './cli-command.js';
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

/** @returns the exit code */
export async function runCli(shell: Shell): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram(
    'Listen to webhooks, link a bank, look at links and drive the Sandbox.',
    shell,
  ).version(version, '-V, --version');
  for (const command of COMMANDS)
    addCommand(program, command, GROUPS, async (values, added) => {
      const context = contextOf(shell, added.opts<GlobalOptions>());
      exitCode = (await command.run(context, ...values)) ?? EXIT.done;
    }).option('--profile <name>', 'use this profile');
  const ended = await runProgram(program, shell, { explain: explainFailure, usage: EXIT.usage });
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
