import {
  hashClientSecret,
  verifyClientSecret,
} from '../../../prisma/applications/client-secret.js';
import { makeClientSecret } from '../../../prisma/applications/key-pair.js';

describe('client secrets', () => {
  it('have 256 random bits, so a fast hash is enough', () => {
    const secrets = Array.from({ length: 100 }, makeClientSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('match only the secret that was hashed', async () => {
    const stored = hashClientSecret('canary-secret');
    expect(stored).toMatch(/^sha256\$[\w-]{43}$/);
    await expect(verifyClientSecret('canary-secret', stored)).resolves.toBe(true);
    await expect(verifyClientSecret('canary-secreT', stored)).resolves.toBe(false);
    await expect(verifyClientSecret('', stored)).resolves.toBe(false);
  });

  it('match a hash stored by an earlier release', async () => {
    const stored =
      'scrypt$16384$8$1$AAECAwQFBgcICQoLDA0ODw$xuYwf7VLcasuKRNjTpSPzmBF4OxEleJxXhufLaP3B1g';
    await expect(verifyClientSecret('canary-secret', stored)).resolves.toBe(true);
    await expect(verifyClientSecret('canary-secreT', stored)).resolves.toBe(false);
  });

  it.each(['plain', 'scrypt$1$2', 'sha1$x'])(
    'match no stored text of another form: %s',
    async (stored) => {
      await expect(verifyClientSecret('x', stored)).rejects.toThrow('unknown form');
    },
  );
});
