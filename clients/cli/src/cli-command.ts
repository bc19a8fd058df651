import type { Tributary } from '@tributary/node';
import type { Command } from 'commander';
import type { ExitCode } from './exit-codes.js';
import type { Output } from './output/output.js';
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
  /** @throws CliFailure without a key pair */
  keyPair(): Promise<ChosenKeyPair>;
  /** A client with the chosen key pair. @throws CliFailure without one */
  client(): Promise<Tributary>;
}

/** Everything about one command: the help and the README follow from it. */
export interface CliCommand {
  /** Its words, for example `links list`. */
  readonly name: string;
  readonly help: string;
  /** Adds its arguments and options. Every command has `--json` and `--profile` as well. */
  arguments?(command: Command): Command;
  /**
   * @param values its arguments, then its options
   * @returns the exit code; missing = 0
   */
  run(context: CommandContext, ...values: never[]): Promise<ExitCode | void>;
}
