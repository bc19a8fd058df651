import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import { PayloadRefused } from '../../../apps/platform/src/temporal/payload-place.js';
import { SealedValueUnreadable } from '../../../prisma/base/sealing/aes-gcm.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';

const masterKey = { id: 'k1', key: randomBytes(32) };
const FULL_TAG = 16;

/**
 * A valid message without text whose tag is cut to `tagBytes`. Node verifies as many bytes as it
 * receives.
 */
function emptyMessage(key: Buffer, associatedData: string, tagBytes: number): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(associatedData)).final();
  return Buffer.concat([iv, cipher.getAuthTag().subarray(0, tagBytes)]);
}

describe('A sealed value', () => {
  const at = { table: 'signing_keys', column: 'private_key', row: '1' } as const;
  const id = Buffer.from(masterKey.id);
  const key = Buffer.from(
    hkdfSync('sha256', masterKey.key, '', 'tributary columns, version 1', 32),
  );
  const open = (tagBytes: number): Promise<Buffer> => {
    const message = emptyMessage(key, 'signing_keys/private_key/1', tagBytes);
    return new Sealer([masterKey]).openWithMaster(
      at,
      Buffer.concat([Buffer.from([id.length]), id, message]),
    );
  };

  it('opens with its complete authentication tag', async () =>
    expect(await open(FULL_TAG)).toHaveLength(0));

  it.each([15, 12, 8, 4])('is refused when its tag has only %i bytes', async (tagBytes) => {
    await expect(open(tagBytes)).rejects.toThrow(SealedValueUnreadable);
  });
});

describe('An encrypted workflow payload', () => {
  const key = Buffer.from(
    hkdfSync('sha256', masterKey.key, '', 'temporal payloads, version 2', 32),
  );
  const place = Buffer.from('["default","link-session/1"]');
  const open = (tagBytes: number) =>
    new EncryptingPayloadCodec([masterKey]).decode([
      {
        metadata: {
          encoding: Buffer.from('binary/encrypted'),
          'encryption-key-id': Buffer.from(masterKey.id),
          'encryption-place': place,
        },
        data: emptyMessage(key, JSON.stringify([masterKey.id, place.toString()]), tagBytes),
      },
    ]);

  it.each([15, 12, 8, 4])('is refused when its tag has only %i bytes', async (tagBytes) => {
    await expect((async () => open(tagBytes))()).rejects.toThrow(PayloadRefused);
  });
});
