import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { INPUT_REFUSED, isRefused } from '../../../platform/src/temporal/refused-input.js';

/** Fails activities whose input was refused: no retry of the same input could succeed. */
export const guardActivities = (): ActivityInterceptors => ({
  inbound: {
    execute(input, next) {
      if (!isRefused(input.args)) return next(input);
      throw ApplicationFailure.nonRetryable(
        'The arguments were not made for this activity by Tributary.',
        INPUT_REFUSED,
      );
    },
  },
});
