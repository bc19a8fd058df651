import type { Command } from 'commander';
import type { CommandShell } from './command-shell.js';
import type { Service, ServiceOptions } from './service.js';

/** The service for a command, and the shell in which the command was typed. */
export interface CommandService extends Service {
  shell: CommandShell;
}

/** Everything about one operator command: `--help`, docs/operating/commands.md and the record of operators follow from it. */
export interface OperatorCommand {
  /** Its words: a noun in the plural, then a verb, for example `clients disable`. */
  readonly name: string;
  /** Its description in help and docs. */
  readonly help: string;
  /** True: the command changes data, or exports secrets, so it is recorded in `operator_actions`. */
  readonly recorded: boolean;
  /** The number of its first arguments that the record shows; missing = all. Never ids of users. */
  readonly shownArguments?: number;
  /** Its connection to the service; missing = the default. */
  readonly service?: ServiceOptions;
  /** Adds its arguments and options. Every command has `--json` as well. */
  arguments?(command: Command): Command;
  /**
   * Refuses values before the service is opened and the command recorded.
   * @throws CommandFailure
   */
  check?(...values: never[]): void | Promise<void>;
  /**
   * @param values its arguments, then its options
   * @throws CommandFailure with a message for the operator
   */
  run(service: CommandService, ...values: never[]): Promise<void>;
}
