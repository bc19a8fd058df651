import {
  ApplicationFailure,
  DefaultFailureConverter,
  type PayloadConverter,
  type ProtoFailure,
  type SerializationContext,
} from '@temporalio/common';
import { AUTHENTIC_FAILURES_FLAG, INPUT_REFUSED } from './refused-input.js';

/** The encrypted part of a failure. Code decides by the last two members. */
interface EncodedAttributes {
  message?: unknown;
  stack_trace?: unknown;
  type?: unknown;
  non_retryable?: unknown;
}

/**
 * Moves message and stack of failures into a payload, so that the codec encrypts them, too, together with the members
 * that code decides by. Anyone who reaches the Temporal server can fail an activity under a type of their choice; a workflow of a
 * worker only reads a failure that the codec has authenticated, and INPUT_REFUSED instead of every other one. Temporal
 * loads this file by its path.
 */
class AuthenticFailureConverter extends DefaultFailureConverter {
  constructor() {
    super({ encodeCommonAttributes: true });
  }

  override errorToFailure(
    error: unknown,
    converter: PayloadConverter,
    context?: SerializationContext,
  ): ProtoFailure {
    const failure = super.errorToFailure(error, converter, context);
    const { applicationFailureInfo: info, encodedAttributes } = failure;
    if (!info || !encodedAttributes) return failure;
    const common = converter.fromPayload<EncodedAttributes>(encodedAttributes, context);
    const bound: EncodedAttributes = { ...common, ...decisive(info) };
    return { ...failure, encodedAttributes: converter.toPayload(bound, context) };
  }

  override failureToError(
    failure: ProtoFailure,
    converter: PayloadConverter,
    context?: SerializationContext,
  ): Error {
    if (AUTHENTIC_FAILURES_FLAG in globalThis && isForeign(failure, converter, context))
      return ApplicationFailure.nonRetryable(
        'The failure was not made for this workflow by Tributary.',
        INPUT_REFUSED,
      );
    return super.failureToError(failure, converter, context);
  }
}

export const failureConverter = new AuthenticFailureConverter();

/** The server creates the other kinds; from clients it accepts only failures of applications. */
function isForeign(
  { applicationFailureInfo: info, encodedAttributes }: ProtoFailure,
  converter: PayloadConverter,
  context: SerializationContext | undefined,
): boolean {
  if (!info) return false;
  if (!encodedAttributes) return true;
  const common = converter.fromPayload<EncodedAttributes | string>(encodedAttributes, context);
  if (typeof common !== 'object') return true;
  const { type, non_retryable } = decisive(info);
  return common.type !== type || common.non_retryable !== non_retryable;
}

const decisive = (info: NonNullable<ProtoFailure['applicationFailureInfo']>) => ({
  type: info.type ?? '',
  non_retryable: info.nonRetryable === true,
});
