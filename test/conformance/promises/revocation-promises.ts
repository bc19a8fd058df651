import { doesNotApply } from '../kept-promises.js';
import { lastDays, type PromiseCalls } from './promise-calls.js';

/** The end of one permission, and of no other. */
export function describeRevocation(calls: PromiseCalls): void {
  describe('revocation', () => {
    it('succeeds twice, and makes data calls fail with consent_expired', async () => {
      const { provider } = calls.target();
      if (provider.revoke === undefined || calls.login.cannotRevoke === true) return doesNotApply();
      const { access } = await calls.link();
      await provider.revoke(access);
      await provider.revoke(access);
      const over = { name: 'ProviderFailure', providerCause: 'consent_expired' };
      await expect(provider.fetchAccounts(access)).rejects.toMatchObject(over);
      await expect(calls.readWindow(provider, access, lastDays(30))).rejects.toMatchObject(over);
      for (const fetch of [
        provider.fetchAccountNumbers,
        provider.fetchIdentity,
        provider.fetchHoldings,
        provider.fetchLiabilities,
      ]) {
        if (fetch !== undefined) await expect(fetch(access)).rejects.toMatchObject(over);
      }
    });

    it('does not affect other permissions', async () => {
      const { provider } = calls.target();
      if (provider.revoke === undefined || calls.login.cannotRevoke === true) return doesNotApply();
      const [ended, other] = await Promise.all([calls.link(), calls.link()]);
      await provider.revoke(ended.access);
      expect((await provider.fetchAccounts(other.access)).accounts).not.toHaveLength(0);
    });
  });
}
