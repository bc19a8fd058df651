import type { Command } from 'commander';
import type { CommandShell } from './command-shell.js';
import type { Service, ServiceOptions } from './service.js';

/** The service as a command reaches it, and the shell that the command was typed in. */
export interface CommandService extends Service {
  shell: CommandShell;
}

/** Everything about one operator command: `--help`, docs/operating/commands.md and the record of operators follow from it. */
export interface OperatorCommand {
  /** Its words: a noun in the plural, then a verb, for example `clients disable`. */
  readonly name: string;
  /** What it does, as help and docs show it. */
  readonly help: string;
  /** It changes something, or takes secrets out of the service: what ran is kept in `operator_actions`. */
  readonly recorded: boolean;
  /** How it reaches the service; missing = as all do. */
  readonly service?: ServiceOptions;
  /** Adds its arguments and options. Every command has `--json` as well. */
  arguments?(command: Command): Command;
  /**
   * Refuses values before the service is opened and before anything is recorded.
   * @throws CommandFailure
   */
  check?(...values: never[]): void | Promise<void>;
  /**
   * @param values its arguments, then its options
   * @throws CommandFailure with what to tell the operator
   */
  run(service: CommandService, ...values: never[]): Promise<void>;
}
