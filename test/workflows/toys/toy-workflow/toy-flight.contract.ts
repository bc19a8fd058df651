import { LINKS_QUEUE } from '../../../../workflows/task-queues.js';
import {
  pinned,
  type WorkflowCommand,
  type WorkflowContract,
} from '../../../../workflows/workflow.contract.js';

export interface ToyFlightInput {
  toy: string;
}

export function toyFlightWorkflowId(toy: string): string {
  return `toy-flight/${toy}`;
}

const startToyFlight: WorkflowCommand<ToyFlightInput> = {
  action: ({ toy }) => ({
    name: 'start',
    options: { workflowId: toyFlightWorkflowId(toy), taskQueue: LINKS_QUEUE, args: [{ toy }] },
  }),
};

export const TOY_FLIGHT_CONTRACT = {
  type: 'toyFlight',
  versioning: pinned('a toy lands within seconds'),
  commands: { startToyFlight },
} as const satisfies WorkflowContract;
