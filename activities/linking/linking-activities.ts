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
 * Linking activities that use only the database. A worker can die between the commit and the
 * report, so each may run twice and changes nothing the second time.
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
