import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';

const [old, current] = [
  { id: 'k1', key: randomBytes(32) },
  { id: 'k2', key: randomBytes(32) },
];
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) as Payload;
const valueOf = (payload: Payload | undefined): unknown =>
  defaultPayloadConverter.fromPayload(payload as Payload);

describe('EncryptingPayloadCodec', () => {
  const codec = new EncryptingPayloadCodec([current, old]);

  it('decodes what it encoded, for payloads of every kind', async () => {
    for (const value of [
      { sessionId: 'ses_1', seq: 3 },
      'text',
      0,
      null,
      [1, 2],
      Buffer.from([0, 255]),
      undefined,
    ]) {
      const [sealed] = await codec.encode([payloadOf(value)]);
      expect(Buffer.from(sealed?.data ?? []).toString('latin1')).not.toContain('ses_1');
      expect(Buffer.from(sealed?.metadata?.['encoding'] ?? []).toString()).toBe('binary/encrypted');
      const [opened] = await codec.decode(sealed === undefined ? [] : [sealed]);
      expect(valueOf(opened)).toEqual(value instanceof Buffer ? Uint8Array.from(value) : value);
    }
  });

  it('names its key, encrypts with the first key and decrypts with all of them', async () => {
    const [older] = await new EncryptingPayloadCodec([old]).encode([payloadOf('kept')]);
    expect(Buffer.from(older?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k1');
    expect(valueOf((await codec.decode([older as Payload]))[0])).toBe('kept');
    const [newer] = await codec.encode([payloadOf('kept')]);
    expect(Buffer.from(newer?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k2');
    await expect(
      (async () => new EncryptingPayloadCodec([old]).decode([newer as Payload]))(),
    ).rejects.toThrow(/"k2".*MASTER_KEYS/);
  });

  it('passes plain payloads through and refuses tampered ones', async () => {
    expect(valueOf((await codec.decode([payloadOf('plain')]))[0])).toBe('plain');
    const [sealed] = await codec.encode([payloadOf('secret')]);
    const data = Buffer.from(sealed?.data ?? []);
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
    await expect((async () => codec.decode([{ ...sealed, data }]))()).rejects.toThrow();
  });

  it('derives a key other than the one that seals columns', async () => {
    const [sealed] = await codec.encode([payloadOf('secret')]);
    const other = new EncryptingPayloadCodec([{ id: 'k2', key: randomBytes(32) }]);
    await expect((async () => other.decode([sealed as Payload]))()).rejects.toThrow();
  });
});
