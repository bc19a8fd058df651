import type { SerializationContext } from '@temporalio/common';

/** The owner of a payload. Empty names: it belongs to no workflow, such as the failure of a task. */
export interface PayloadPlace {
  namespace: string;
  workflowId: string;
}

/** A payload that a workflow must not see. The message contains no part of it. */
export class PayloadRefused extends Error {
  override readonly name = 'PayloadRefused';

  constructor(reason: string, options?: ErrorOptions) {
    super(`A payload is refused: it was ${reason}.`, options);
  }
}

/**
 * A Schedule encodes the arguments once for all workflows that it starts; the server appends the time to their ids. The
 * prefixes are those of the contracts of scheduled workflows.
 */
const SCHEDULED =
  /^((?:catalog-sync|periodic-aggregation|signing-key-rotation)\/.+)-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The id that payloads of a workflow are bound to: its own, or that of its Schedule's action. */
export function boundId<Id extends string | undefined>(workflowId: Id): Id | string {
  return workflowId === undefined ? workflowId : (SCHEDULED.exec(workflowId)?.[1] ?? workflowId);
}

/** Payloads of activities belong to the workflow that scheduled them. */
export function placeOf(context: SerializationContext | undefined): PayloadPlace {
  return {
    namespace: context?.namespace ?? '',
    workflowId: boundId(context?.workflowId ?? ''),
  };
}
