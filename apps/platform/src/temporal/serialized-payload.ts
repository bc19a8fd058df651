import type { Payload } from '@temporalio/common';

const LENGTH_BYTES = 4;

/** Length of the metadata, the metadata as JSON, then the unchanged data. */
export function serialize({ metadata, data }: Payload): Buffer {
  const texts = Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value).toString('base64'),
    ]),
  );
  const head = Buffer.from(JSON.stringify(texts));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, Buffer.from(data ?? [])]);
}

export function deserialize(bytes: Buffer): Payload {
  const end = LENGTH_BYTES + bytes.readUInt32BE(0);
  const texts = JSON.parse(bytes.subarray(LENGTH_BYTES, end).toString('utf8')) as Record<
    string,
    string
  >;
  return {
    metadata: Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: bytes.subarray(end),
  };
}
