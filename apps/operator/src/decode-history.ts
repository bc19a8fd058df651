import type { Payload } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { EncryptingPayloadCodec } from '../../platform/src/temporal/payload-codec.js';
import type { PayloadPlace } from '../../platform/src/temporal/payload-place.js';

/**
 * Decodes every payload of a history in place, so that it can be read and replayed without keys.
 *
 * @throws PayloadRefused when a payload was created for another workflow
 */
export function decodeHistory(
  history: History,
  codec: Pick<EncryptingPayloadCodec, 'open'>,
  of: PayloadPlace,
): History {
  for (const payload of payloadsIn(history)) {
    const { metadata, data } = codec.open(payload, of);
    Object.assign(payload, { metadata, data });
  }
  return history;
}

/** Payloads occur in many places of many event types; they are recognized by their shape. */
function payloadsIn(value: unknown, found = new Set<Payload>()): Set<Payload> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return found;
  if (isPayload(value)) return found.add(value);
  for (const part of Object.values(value)) payloadsIn(part, found);
  return found;
}

function isPayload(value: object): value is Payload {
  const { metadata, data } = value as { metadata?: { encoding?: unknown } | null; data?: unknown };
  return (
    metadata?.encoding instanceof Uint8Array &&
    (data === undefined || data === null || data instanceof Uint8Array)
  );
}
