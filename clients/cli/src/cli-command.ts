import type { Tributary } from '@tributary/node';
import type { ProgramCommand } from '../../terminal/src/program-command.js';
import type { Output } from '../../terminal/src/output.js';
import type { Prompts } from './prompts.js';
import type { ChosenKeyPair } from './profiles/choose-key-pair.js';
import type { ProfileFile } from './profiles/profile-file.js';

/** The means of a command. */
export interface CommandContext {
  output: Output;
  prompts: Prompts;
  profiles: ProfileFile;
  /** The name that `--profile` gives. */
  profileName: string | undefined;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  /** Aborts at the first Ctrl+C or SIGTERM; a second one ends the process. */
  stop: AbortSignal;
  /** @throws CommandFailure without a key pair */
  keyPair(): Promise<ChosenKeyPair>;
  /** A client with the chosen key pair. @throws CommandFailure without one */
  client(): Promise<Tributary>;
}

export type CliCommand = ProgramCommand<CommandContext>;
