import { KeysRefused } from '../../../domain/errors/provider-failure.js';
import { guardKeys } from '../../../providers/guard-keys.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';
import { testProvider } from '../../support/fixtures/fetching-link.js';

const access = accessWith({ credential: Buffer.from('permission'), reference: 'p1' }, 'bank');

describe('A provider whose keys are refused', () => {
  it('rejects its calls, so that callers can catch them like any other failure', async () => {
    const guarded = guardKeys(testProvider({ revoke: () => Promise.resolve('revoked') }), {
      isBroken: () => true,
      onRefused: () => Promise.resolve(),
    });
    await expect(guarded.revoke?.(access).catch(() => 'caught')).resolves.toBe('caught');
    await expect(guarded.fetchAccounts(access)).rejects.toBeInstanceOf(KeysRefused);
  });
});
