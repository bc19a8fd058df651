import {
  hashClientSecret,
  matchingSecret,
} from '../../../prisma/tenants/applications/client-secret.js';
import { makeClientSecret } from '../../../prisma/tenants/applications/key-pair.js';

const stored = (...secrets: string[]) =>
  secrets.map((secret) => ({ secret, secretHash: hashClientSecret(secret) }));

describe('Client secrets', () => {
  it('have 256 random bits, so a fast hash is enough', () => {
    const secrets = Array.from({ length: 100 }, makeClientSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('match only the secrets that were hashed', () => {
    const pair = stored('canary-secret', 'canary-second');
    expect(pair[0]?.secretHash).toMatch(/^sha256\$[\w-]{43}$/);
    for (const secret of ['canary-secret', 'canary-second'])
      expect(matchingSecret(secret, pair)).toMatchObject({ secret });
    expect(matchingSecret('canary-secreT', pair)).toBeNull();
    expect(matchingSecret('', pair)).toBeNull();
    expect(matchingSecret('', [])).toBeNull();
  });

  it.each(['', 'plain', 'sha1$x'])(
    'do not match stored text of another form: "%s"',
    (secretHash) => {
      expect(() => matchingSecret('x', [{ secretHash }])).toThrow('unknown form');
    },
  );
});
