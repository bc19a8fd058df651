import { ApplicationFailure } from '@temporalio/common';
import { log, workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { SIGNING_KEY_ROTATION_WORKFLOW } from '../../../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import { REFUSED_INPUT } from '../../../platform/src/temporal/refused-input.js';

/** They only do what the rows say is due. */
const WITHOUT_ARGUMENTS: readonly string[] = [SIGNING_KEY_ROTATION_WORKFLOW];

/**
 * Turns down messages whose payloads were refused: a client of the Temporal server without the master keys can neither
 * start a workflow of ours with arguments of its own nor change a running one. Temporal loads this file by its path.
 */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        const { workflowType } = workflowInfo();
        if (input.args.length === 0 && !WITHOUT_ARGUMENTS.includes(workflowType))
          throw refusal(`${workflowType} cannot be started without arguments.`);
        refuseForeign(input.args);
        return next(input);
      },
      async handleSignal(input, next) {
        if (!isForeign(input.args)) return next(input);
        log.warn('a Signal is ignored: its arguments were refused', { signal: input.signalName });
      },
      validateUpdate(input, next) {
        refuseForeign(input.args);
        next(input);
      },
      async handleUpdate(input, next) {
        refuseForeign(input.args);
        return next(input);
      },
      async handleQuery(input, next) {
        refuseForeign(input.args);
        return next(input);
      },
    },
  ],
});

const isForeign = (args: readonly unknown[]): boolean => args.includes(REFUSED_INPUT);

function refuseForeign(args: readonly unknown[]): void {
  if (isForeign(args)) throw refusal('The arguments were not made for this workflow by Tributary.');
}

const refusal = (message: string) => ApplicationFailure.nonRetryable(message, 'InputRefused');
