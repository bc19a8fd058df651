import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { MasterKey } from '../../../../prisma/sealing/master-keyring.js';

/** Metadata of an encrypted payload, by which tools recognize it and find its key. */
const ENCODING = Buffer.from('binary/encrypted');
const CIPHER = Buffer.from('AES-256-GCM');
/** Changing it makes every running workflow unreadable. */
const PURPOSE = 'temporal payloads, version 1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

/**
 * Encrypts the payloads of workflows before they leave the process. The keys are derived from the master keys, only for
 * this purpose: the first one encrypts, the others still decrypt.
 */
export class EncryptingPayloadCodec implements PayloadCodec {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly current: { id: string; key: Buffer };

  constructor(
    masterKeys: readonly [MasterKey, ...MasterKey[]],
    private readonly random: (length: number) => Buffer = randomBytes,
  ) {
    const [first] = masterKeys;
    this.keys = new Map(masterKeys.map(({ id, key }) => [id, derive(key)]));
    this.current = { id: first.id, key: derive(first.key) };
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.encrypt(payload)));
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.decrypt(payload)));
  }

  private encrypt(payload: Payload): Payload {
    const { id, key } = this.current;
    const iv = this.random(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    cipher.setAAD(Buffer.from(id));
    const sealed = Buffer.concat([cipher.update(serialise(payload)), cipher.final()]);
    return {
      metadata: {
        encoding: ENCODING,
        'encryption-cipher': CIPHER,
        'encryption-key-id': Buffer.from(id),
      },
      data: Buffer.concat([iv, cipher.getAuthTag(), sealed]),
    };
  }

  private decrypt(payload: Payload): Payload {
    const { metadata, data } = payload;
    if (!metadata || !data || !Buffer.from(metadata['encoding'] ?? []).equals(ENCODING))
      return payload;
    const id = Buffer.from(metadata['encryption-key-id'] ?? []).toString();
    const key = this.keys.get(id);
    if (key === undefined)
      throw new Error(
        `No master key "${id}" to decrypt a workflow payload with; it must stay in MASTER_KEYS.`,
      );
    const bytes = Buffer.from(data);
    // Without the length, Node also accepts tags of 4 bytes, which can be guessed.
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), options);
    decipher.setAAD(Buffer.from(id));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return deserialise(
      Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]),
    );
  }
}

const derive = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), PURPOSE, 32));

/** Length of the metadata, the metadata as JSON, then the unchanged data. */
function serialise({ metadata, data }: Payload): Buffer {
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

function deserialise(bytes: Buffer): Payload {
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
