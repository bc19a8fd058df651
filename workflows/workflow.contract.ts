import type { SignalDefinition } from '@temporalio/workflow';

/**
 * The build that continues a running workflow, if WORKER_VERSIONING is on. PINNED: the build that
 * started it, until it finishes. AUTO_UPGRADE: the current build, whose code therefore needs
 * `patched`.
 */
export interface Versioning {
  behavior: 'PINNED' | 'AUTO_UPGRADE';
  reason: string;
}

/** The facts about a workflow that the rest of the service and its pages need. */
export interface WorkflowContract<Type extends string = string> {
  /** The name of its function. */
  type: Type;
  versioning: Versioning;
  /** The commands of the outbox that start, signal or cancel it, by their kind. */
  commands?: Readonly<Record<string, WorkflowCommand<never, never>>>;
}

/** One kind of command of the outbox. `Facts`: what it has to look up. */
export interface WorkflowCommand<Command, Facts = unknown> {
  /** Null = nothing is left to do. */
  action(command: Command, facts: Facts): CommandAction | null | Promise<CommandAction | null>;
  /** The id of the run that has the work of an overdue row. Missing: no row of it is overdue. */
  runOf?(command: Command): string;
}

/** Each has a fixed workflow id, so repeating it has no effect. */
export type CommandAction =
  | { name: 'start'; options: { workflowId: string; taskQueue: string; args: unknown[] } }
  | {
      name: 'signalWithStart';
      options: {
        workflowId: string;
        taskQueue: string;
        args: unknown[];
        signal: SignalDefinition;
        signalArgs: [];
      };
    }
  /** Without a running workflow, these two have no effect. */
  | { name: 'signal'; workflowId: string; signal: SignalDefinition }
  | { name: 'cancel'; workflowId: string };

export function pinned(reason: string): Versioning {
  return { behavior: 'PINNED', reason };
}

export function upgraded(reason: string): Versioning {
  return { behavior: 'AUTO_UPGRADE', reason };
}
