import {
  createAttemptEndActivities,
  type AttemptEndActivityDeps,
} from './attempt-end-activities.js';
import {
  createBeginLoginActivities,
  type BeginLoginActivityDeps,
} from './begin-login-activities.js';
import { createStepActivities, type StepActivityDeps } from './step-activities.js';
import { createStepProjection, type StepProjectionDeps } from './step-projection.js';

export type LinkingActivityDeps = StepProjectionDeps &
  StepActivityDeps &
  BeginLoginActivityDeps &
  AttemptEndActivityDeps;

/**
 * Steps of linking that only touch the database. Each may run twice, since a worker can die after the commit and
 * before it says so, and then changes nothing the second time.
 */
export function createLinkingActivities(deps: LinkingActivityDeps) {
  const projection = createStepProjection(deps);
  return {
    ...createStepActivities(deps, projection),
    ...createBeginLoginActivities(deps),
    ...createAttemptEndActivities(deps, projection),
  };
}

export type LinkingActivities = ReturnType<typeof createLinkingActivities>;
