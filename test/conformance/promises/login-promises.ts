import { randomUUID } from 'node:crypto';
import { accessWith } from '../../support/fixtures/provider-calls.js';
import { doesNotApply } from '../kept-promises.js';
import type { PromiseCalls } from './promise-calls.js';

/** One login per attempt, and the same accounts for the same person. */
export function describeLogin(calls: PromiseCalls): void {
  describe('login', () => {
    it('performs one login per attempt key, if it declares so', async () => {
      const { provider } = calls.target();
      if (!provider.facts.idempotentLogin) return doesNotApply();
      const key = randomUUID();
      const outcomes = await Promise.all([1, 2, 3].map(() => provider.begin(calls.context(key))));
      expect(new Set(outcomes.map(({ kind }) => kind)).size).toBe(1);
      if (outcomes[0]?.kind === 'step' && outcomes[0].step.kind === 'redirect') return;
      const { reference } = await calls.link(key);
      const again = await provider.begin(calls.context(key));
      expect(again).toMatchObject({ kind: 'linked', reference });
      for (const outcome of [...outcomes, again]) {
        if (outcome.kind !== 'linked') continue;
        expect(outcome.reference).toBe(reference);
        expect(
          (await provider.fetchAccounts(accessWith(outcome, calls.login.remoteId))).accounts,
        ).not.toHaveLength(0);
      }
    });

    it('returns different permissions for different attempt keys', async () => {
      const [first, second] = await Promise.all([calls.link(), calls.link()]);
      expect(first.reference).not.toBe(second.reference);
    });

    it('returns the same account ids for the same person', async () => {
      const { provider } = calls.target();
      const [first, second] = [await calls.link(), await calls.link()];
      const idsOf = async ({ access }: typeof first) =>
        (await provider.fetchAccounts(access)).accounts.map((account) => account.providerAccountId);
      expect(await idsOf(second)).toEqual(await idsOf(first));
    });

    it('refuses an institution that it does not have', async () => {
      const login = calls
        .target()
        .provider.begin({ ...calls.context(), remoteId: 'no-such-institution' });
      await expect(login).rejects.toMatchObject({
        name: 'ProviderFailure',
        providerCause: 'not_supported',
      });
    });
  });
}
