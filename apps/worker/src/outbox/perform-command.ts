import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowSignalWithStartOptions,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { Environment } from '../../../../domain/api/environment.js';
import type { OutboxCommand } from '../../../../prisma/base/outbox/outbox.js';
import type { RefreshSubject } from '../../../../domain/refresh/refresh-subject.js';
import type { WebhookDeliveryRepository } from '../../../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import type { LinkDeletionInput } from '../../../../workflows/link-deletion/link-deletion.contract.js';
import type { ProductRefreshInput } from '../../../../workflows/product-refresh/product-refresh.contract.js';
import type { UserErasureInput } from '../../../../workflows/user-erasure/user-erasure.contract.js';
import type { WebhookDeliveryInput } from '../../../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { WORKFLOWS, type WorkflowType } from '../../../../workflows/workflow-list.contract.js';
import type {
  CommandAction,
  WorkflowCommand,
  WorkflowContract,
} from '../../../../workflows/workflow.contract.js';
import type { StalledRuns } from '../temporal/stalled-runs.js';

/** The facts that commands look up, and the settings that they pass on. */
export interface CommandFacts {
  deliveries: Pick<WebhookDeliveryRepository, 'describe'>;
  /** Environment of a link, which selects the task queue; undefined = the link does not exist. */
  environmentOf: (linkId: string) => Promise<Environment | undefined>;
  /** Search attributes of a refresh of the link; undefined = the link does not exist. */
  subjectOf: (linkId: string) => Promise<RefreshSubject | undefined>;
  refresh: Omit<ProductRefreshInput, 'linkId'>;
  deletion: Omit<LinkDeletionInput, 'linkId'>;
  erasure: Omit<UserErasureInput, 'erasureId'>;
  delivery: Pick<WebhookDeliveryInput, 'attemptTimeoutMs' | 'retryMs'>;
  /** Publishes the key of a rotation that an operator requested. */
  publishKey: (rotation: string) => Promise<unknown>;
}

export interface PerformCommandOptions extends CommandFacts {
  client: Client;
  /** Every workflow, those of this version by default. */
  workflows?: readonly WorkflowContract[];
  /** Ends the run of an overdue row when it makes no progress. Missing: none is ended. */
  stalledRuns?: Pick<StalledRuns, 'endIfStalled'>;
  /** A call to Temporal that takes longer fails. */
  deadlineMs?: number;
}

/** A kind without a command in a contract, or with another payload, does not compile. */
type Complete<W extends readonly unknown[]> =
  Intersection<Declared<W[number]>> extends Commands ? W : never;
type Commands = {
  [K in OutboxCommand['kind']]: WorkflowCommand<Extract<OutboxCommand, { kind: K }>, CommandFacts>;
};
type Declared<W> = W extends { commands: infer C } ? C : never;
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never;

/** Carries a command out in Temporal, by the contract of its workflow. */
export function createCommandPerformer(
  options: PerformCommandOptions,
): (command: OutboxCommand) => Promise<void> {
  const { client, deadlineMs = 10_000 } = options;
  const workflows: readonly WorkflowContract[] =
    options.workflows ?? (WORKFLOWS satisfies Complete<typeof WORKFLOWS>);
  const commands = new Map(
    workflows.flatMap(({ type, commands: each = {} }) =>
      Object.entries(each).map(([kind, command]) => [kind, { type, command }]),
    ) as [string, { type: string; command: WorkflowCommand<OutboxCommand, CommandFacts> }][],
  );

  async function perform(command: OutboxCommand): Promise<void> {
    const found = commands.get(command.kind);
    if (found === undefined) throw new Error(`no workflow has the command ${command.kind}`);
    const workflow = found.type as WorkflowType;
    const workflowId = found.command.runOf?.(command);
    if (command.overdue === true && workflowId !== undefined)
      await options.stalledRuns?.endIfStalled({ workflow, workflowId });
    const action = await found.command.action(command, options);
    if (action !== null) await carryOut(client, found.type, action);
  }

  return (command) => client.withDeadline(Date.now() + deadlineMs, () => perform(command));
}

async function carryOut({ workflow }: Client, type: string, action: CommandAction): Promise<void> {
  switch (action.name) {
    case 'start':
      await workflow.start(type, action.options as WorkflowStartOptions);
      return;
    case 'signalWithStart':
      await workflow.signalWithStart(type, action.options as WorkflowSignalWithStartOptions);
      return;
    case 'signal':
      return unlessEnded(() => workflow.getHandle(action.workflowId).signal(action.signal));
    case 'cancel':
      return unlessEnded(() => workflow.getHandle(action.workflowId).cancel());
  }
}

async function unlessEnded(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
