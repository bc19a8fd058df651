import { DefaultFailureConverter } from '@temporalio/common';

/** Moves message and stack of failures into a payload, so that the codec encrypts them, too. Temporal loads this file by its path. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
