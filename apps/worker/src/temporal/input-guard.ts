import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import {
  log,
  proxyActivities,
  sleep,
  workflowInfo,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { openSessionUpdate } from '../../../../workflows/session/session.contract.js';
import { SIGNING_KEY_ROTATION_WORKFLOW } from '../../../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import {
  INPUT_REFUSED,
  isRefused,
  REFUSED_INPUT,
} from '../../../platform/src/temporal/refused-input.js';

/** They only do the work that rows show as due. */
const WITHOUT_ARGUMENTS: readonly string[] = [
  SIGNING_KEY_ROTATION_WORKFLOW,
  openSessionUpdate.name,
];
const FIRST_REPEAT_MS = 1_000;
const LONGEST_REPEAT_MS = 600_000;

/**
 * Refuses messages whose payloads were refused: a client of the Temporal server without the master keys can neither
 * start a workflow of ours with arguments of its own nor change a running one, nor replace an activity. Temporal
 * loads this file by its path.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  /** Number of this workflow's activities that a stranger completed. */
  let foreignEnds = 0;
  return {
    inbound: [
      {
        async execute(input, next) {
          refuseForeign(workflowInfo().workflowType, input.args);
          return next(input);
        },
        async handleSignal(input, next) {
          if (!isRefused(input.args)) return next(input);
          log.warn('a Signal is ignored: its arguments were refused', { signal: input.signalName });
        },
        validateUpdate(input, next) {
          refuseForeign(input.name, input.args);
          next(input);
        },
        async handleUpdate(input, next) {
          refuseForeign(input.name, input.args);
          return next(input);
        },
        async handleQuery(input, next) {
          if (isRefused(input.args)) throw notOurs('arguments were');
          return next(input);
        },
      },
    ],
    outbound: [
      {
        /**
         * Anyone can complete or fail an activity by the id of its workflow, and the server then ends it. One that may be
         * repeated starts again after a wait. The outcome of one that must not, such as an answer to a bank, is unknown.
         */
        async scheduleActivity(input, next) {
          let reason: unknown;
          try {
            const result = await next(input);
            if (result !== REFUSED_INPUT) return result;
          } catch (error) {
            if (!isForeignEnd(error)) throw error;
            reason = error;
          }
          const { activityType, options, args } = input;
          log.warn('an activity was ended by a stranger', { activity: activityType });
          if (options.retry?.maximumAttempts === 1)
            throw reason instanceof ActivityFailure ? reason : lost(activityType);
          await sleep(Math.min(LONGEST_REPEAT_MS, FIRST_REPEAT_MS * 2 ** foreignEnds), {
            summary: `until ${activityType} is started again`,
          });
          foreignEnds += 1;
          return proxyActivities(options)[activityType]?.(...(args as never[]));
        },
        async scheduleLocalActivity(input, next) {
          const result = await next(input);
          if (result === REFUSED_INPUT) throw notOurs('result of an activity was');
          return result;
        },
      },
    ],
  };
};

function refuseForeign(name: string, args: readonly unknown[]): void {
  if (isRefused(args)) throw notOurs('arguments were');
  if (args.length === 0 && !WITHOUT_ARGUMENTS.includes(name))
    throw refusal(`${name} cannot be started without arguments.`);
}

const isForeignEnd = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === INPUT_REFUSED;

const notOurs = (what: string) => refusal(`The ${what} not made for this workflow by Tributary.`);

const refusal = (message: string) => ApplicationFailure.nonRetryable(message, INPUT_REFUSED);

/** As if the activity had failed in the same way. */
function lost(activityType: string): ActivityFailure {
  const cause = notOurs('result of an activity was');
  return new ActivityFailure(
    cause.message,
    activityType,
    undefined,
    RetryState.NON_RETRYABLE_FAILURE,
    undefined,
    cause,
  );
}
