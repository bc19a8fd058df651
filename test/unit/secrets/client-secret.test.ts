import { describe, expect, it } from 'vitest';
import { hashClientSecret, verifyClientSecret } from '../../../prisma/secrets/client-secret.js';

describe('client secrets', () => {
  it('verifies the secret it hashed and no other', async () => {
    const stored = await hashClientSecret('canary-secret');
    expect(stored).toMatch(/^scrypt\$\d+\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(stored).not.toContain('canary');
    await expect(verifyClientSecret('canary-secret', stored)).resolves.toBe(true);
    await expect(verifyClientSecret('canary-secreT', stored)).resolves.toBe(false);
    await expect(verifyClientSecret('', stored)).resolves.toBe(false);
  });

  it('salts: one secret never has the same hash twice', async () => {
    expect(await hashClientSecret('same')).not.toBe(await hashClientSecret('same'));
  });

  it('refuses a stored text of another form', async () => {
    await expect(verifyClientSecret('x', 'plain')).rejects.toThrow('unknown form');
  });
});
