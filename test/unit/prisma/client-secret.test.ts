import {
  hashClientSecret,
  verifyClientSecret,
} from '../../../prisma/applications/client-secret.js';
import { makeClientSecret } from '../../../prisma/applications/key-pair.js';

describe('Client secrets', () => {
  it('have 256 random bits, so a fast hash is enough', () => {
    const secrets = Array.from({ length: 100 }, makeClientSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('match only the secret that was hashed', () => {
    const stored = hashClientSecret('canary-secret');
    expect(stored).toMatch(/^sha256\$[\w-]{43}$/);
    expect(verifyClientSecret('canary-secret', stored)).toBe(true);
    expect(verifyClientSecret('canary-secreT', stored)).toBe(false);
    expect(verifyClientSecret('', stored)).toBe(false);
  });

  it.each(['', 'plain', 'sha1$x'])('do not match stored text of another form: "%s"', (stored) => {
    expect(() => verifyClientSecret('x', stored)).toThrow('unknown form');
  });
});
