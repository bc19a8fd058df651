import type { Payload } from '@temporalio/common';

/** Payloads as the Temporal UI and CLI send them: every byte string in base64. */
interface WirePayload {
  metadata?: Record<string, string>;
  data?: string;
}

/**
 * Without `payloads` the list is empty: protojson, which the CLI writes, omits empty lists.
 * @returns null for anything but `{"payloads": […]}` with at most `max` of them
 */
export function readPayloads(body: string, max: number): Payload[] | null {
  try {
    const message = JSON.parse(body) as { payloads?: WirePayload[] };
    if (typeof message !== 'object' || Array.isArray(message)) return null;
    const { payloads = [] } = message;
    return Array.isArray(payloads) && payloads.length <= max ? payloads.map(fromWire) : null;
  } catch {
    return null;
  }
}

export function writePayloads(payloads: readonly Payload[]): string {
  return JSON.stringify({ payloads: payloads.map(toWire) });
}

function fromWire({ metadata, data }: WirePayload): Payload {
  return {
    metadata: mapValues(metadata ?? {}, (value) => Buffer.from(value, 'base64')),
    data: Buffer.from(data ?? '', 'base64'),
  };
}

function toWire({ metadata, data }: Payload): WirePayload {
  return {
    metadata: mapValues(metadata ?? {}, (value) => Buffer.from(value).toString('base64')),
    data: Buffer.from(data ?? []).toString('base64'),
  };
}

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
