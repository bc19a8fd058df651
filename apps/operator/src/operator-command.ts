import type { Output } from '../../../clients/terminal/src/output.js';
import type { ProgramCommand } from '../../../clients/terminal/src/program-command.js';
import type { AdapterSettings } from '../../../providers/adapter.js';
import type { SecretInput } from './secret-input.js';
import type { Service, ServiceOptions } from './service.js';

/** The part of their environment that commands use. */
export interface CommandShell {
  /** The source of secrets; missing = standard input and the terminal. */
  secretInput?: SecretInput;
  /** The settings of each adapter; missing = those of this version. */
  adapters?: Readonly<Record<string, AdapterSettings>>;
}

/** The service for a command, and the terminal at which the command was typed. */
export interface CommandService extends Service {
  output: Output;
  shell: CommandShell;
}

/** Everything about one operator command: docs/operating/commands.md and the record of operators follow from it, too. */
export interface OperatorCommand extends ProgramCommand<CommandService> {
  /** True: the command changes data, or exports secrets, so it is recorded in `operator_actions`. */
  readonly recorded: boolean;
  /** The number of its first arguments that the record shows; missing = all. Never ids of users. */
  readonly shownArguments?: number;
  /** True: it also works while no service runs, and `run` gets the output and the shell alone. */
  readonly offline?: true;
  /** Its connection to the service; missing = the default. */
  readonly service?: ServiceOptions;
  /**
   * Refuses values before the service is opened and the command recorded.
   * @throws CommandFailure
   */
  check?(...values: never[]): void | Promise<void>;
}
