import type { Command } from 'commander';

/** Everything about one command of a program: its help and its documentation follow from it. */
export interface ProgramCommand<Context> {
  /** Its words, for example `links list`. */
  readonly name: string;
  /** Its description in help and docs. */
  readonly help: string;
  /** Lines that work, without the name of the program; upper case stands for an id. */
  readonly examples: readonly string[];
  /** Adds its arguments and options. Every command has `--json` as well. */
  arguments?(command: Command): Command;
  /**
   * @param values its arguments, then its options
   * @returns the exit code; missing = 0
   * @throws CommandFailure
   */
  run(context: Context, ...values: never[]): Promise<number | void>;
}
