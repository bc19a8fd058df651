import type { Payload, PayloadCodec } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';

/**
 * Decodes every payload of a history in place, so that it can be read and replayed without keys.
 */
export async function decodeHistory(history: History, codec: PayloadCodec): Promise<History> {
  for (const payload of payloadsIn(history)) {
    const [decoded] = await codec.decode([payload]);
    if (decoded !== undefined)
      Object.assign(payload, { metadata: decoded.metadata, data: decoded.data });
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
