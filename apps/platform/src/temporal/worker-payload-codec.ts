import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload, SerializationContext } from '@temporalio/common';
import { EncryptingPayloadCodec } from './payload-codec.js';
import { PayloadRefused } from './payload-place.js';
import { REFUSED_INPUT } from './refused-input.js';

/**
 * For workers. A refused payload reaches workflows and activities as a stand-in, so that the guards in front of them can
 * refuse this one message, result or failure. If decoding threw, the server would repeat the task forever, and a
 * running workflow could never continue.
 */
export class WorkerPayloadCodec extends EncryptingPayloadCodec {
  override async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    try {
      return await super.decode(payloads, context);
    } catch (error) {
      if (!(error instanceof PayloadRefused)) throw error;
      return payloads.map(() => defaultPayloadConverter.toPayload(REFUSED_INPUT));
    }
  }
}
