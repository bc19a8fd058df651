import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves the message and stack of failures into a payload, so that the codec encrypts them too.
 * Loaded by path.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
