import type { CatalogInstitution, Provider } from '../../providers/contract/provider.js';
import { describeData } from './promises/data-promises.js';
import { describeFaults } from './promises/fault-promises.js';
import { describeInvestments } from './promises/investment-promises.js';
import { describeLogin } from './promises/login-promises.js';
import { neverAborted, PromiseCalls } from './promises/promise-calls.js';
import { describeRevocation } from './promises/revocation-promises.js';
import type { ConformanceLogin, ConformanceTarget } from './targets.js';

/** The places where the counterparts of the suite have institutions. */
export const CATALOG_COUNTRIES = ['US', 'CA', 'GB', 'DE', 'FR', 'FI', 'ES'];

/** The core's requirements of every provider, at one of its institutions. */
export function describeProvider(
  name: string,
  login: ConformanceLogin,
  target: () => ConformanceTarget,
): void {
  const { remoteId } = login;

  it('declares only products it has a method for', async () => {
    const { provider } = target();
    const methods: Record<string, unknown> = {
      accounts: provider.fetchAccounts,
      account_numbers: provider.fetchAccountNumbers,
      identity: provider.fetchIdentity,
      transactions: provider.fetchTransactions,
      investments: provider.fetchHoldings,
      liabilities: provider.fetchLiabilities,
    };
    for (const { products } of (await institutionLists(provider)).flat()) {
      for (const product of products)
        expect({ product, method: typeof methods[product] }).toEqual({
          product,
          method: 'function',
        });
    }
  });

  it('lists each of its institutions once', async () => {
    const { provider } = target();
    const lists = await institutionLists(provider);
    expect(lists.flat().map((institution) => institution.remoteId)).toContain(remoteId);
    for (const list of lists) {
      expect(new Set(list.map((institution) => institution.remoteId)).size).toBe(list.length);
      for (const { products } of list) expect(products).toContain('accounts');
    }
    const ours = provider.institutions().map(({ institutionId }) => institutionId);
    expect(new Set(ours).size).toBe(ours.length);
  });

  const calls = new PromiseCalls(name, login, target);
  describeLogin(calls);
  describeData(calls);
  describeInvestments(calls);
  describeRevocation(calls);
  describeFaults(calls);
}

/** The institutions known without I/O, and those of the source's list. */
async function institutionLists(provider: Provider) {
  const listed: CatalogInstitution[] = [];
  const request = {
    countries: CATALOG_COUNTRIES,
    note: () => undefined,
    signal: neverAborted,
  };
  for await (const page of provider.listInstitutions?.(request) ?? []) listed.push(...page);
  return [provider.institutions(), listed];
}
