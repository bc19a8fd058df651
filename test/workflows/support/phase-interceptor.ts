import {
  getCurrentDetails,
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';

/** The details that a replayed workflow shows in the Temporal UI, after each of its actions. */
export interface DetailsSinks extends Sinks {
  details: { shown(details: string): void };
}

const { details } = proxySinks<DetailsSinks>();

/** Temporal loads this file by its path. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  internals: [
    {
      concludeActivation(input, next) {
        details.shown(getCurrentDetails());
        return next(input);
      },
    },
  ],
});
