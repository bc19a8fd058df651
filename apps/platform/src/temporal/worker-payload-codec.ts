import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload, SerializationContext } from '@temporalio/common';
import { EncryptingPayloadCodec } from './payload-codec.js';
import { PayloadRefused } from './payload-place.js';
import { REFUSED_INPUT } from './refused-input.js';

/**
 * For workers. A start, Signal, Update or Query with a payload that is refused reaches the workflow with a stand-in, so
 * that the guard in front of it can turn down this one message. If decoding threw, the server would repeat the task
 * forever, and a running workflow could never go on.
 */
export class WorkerPayloadCodec extends EncryptingPayloadCodec {
  override async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    try {
      return await super.decode(payloads, context);
    } catch (error) {
      if (!(error instanceof PayloadRefused) || context?.type !== 'workflow') throw error;
      return payloads.map(() => defaultPayloadConverter.toPayload(REFUSED_INPUT));
    }
  }
}
