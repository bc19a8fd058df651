import { accountCash } from '../../../domain/investments/account-cash.js';
import { resolveHoldings } from '../../../domain/investments/resolve-holdings.js';
import type { Provider, ProviderHoldings } from '../../../providers/contract/provider.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import { linkAtSimplefin, simplefinAt } from '../../support/fixtures/simplefin-server.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

describe('Brokerage accounts of a SimpleFIN server', () => {
  let simulator: TestSimulator;
  let provider: Provider;
  beforeAll(async () => {
    simulator = await startVendorSimulator('simplefin');
    provider = simplefinAt(simulator.url);
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  async function read(): Promise<ProviderHoldings & { names: ReadonlyMap<string, string> }> {
    const linked = await linkAtSimplefin(provider, loginContext({ remoteId: 'us' }), {
      origin: simulator.url,
      customer: 'investor',
    });
    const access = accessWith(linked, 'us');
    const { accounts } = await provider.fetchAccounts(access);
    const names = new Map(accounts.map((one) => [one.providerAccountId, one.name]));
    const fetched = await provider.fetchHoldings?.(access);
    if (fetched === undefined) throw new Error('offers no holdings');
    return { ...fetched, names };
  }

  /** The costs of each account as the core decides them at first sight, and its cash. */
  async function readCosts() {
    const { accounts, holdings, names } = await read();
    return Object.fromEntries(
      accounts.map((account) => {
        const its = holdings.filter(
          ({ providerAccountId }) => providerAccountId === account.providerAccountId,
        );
        const resolved = resolveHoldings(its, { convention: null, earlier: its.map(() => null) });
        const { cash } = accountCash(account, resolved.holdings, false);
        const name = names.get(account.providerAccountId)?.replace(/ \(\d+\)$/, '') ?? '';
        return [
          name,
          [
            ...resolved.holdings.map(
              ({ security, costBasis, costBasisSource, costBasisEvidence }) =>
                [security.symbol, costBasis?.toFixed() ?? null, costBasisSource, costBasisEvidence]
                  .map(String)
                  .join(' '),
            ),
            `cash ${cash.amount?.toFixed() ?? null}`,
          ],
        ];
      }),
    );
  }

  it('have the same costs whether their broker states totals, prices of units or no price paid', async () => {
    expect(await readCosts()).toEqual({
      'Brokerage with totals': [
        'EXTMX 6120.44 reported_total purchase_price',
        'NWND 4120 reported_total purchase_price',
        'null null null null',
        'cash 125.4',
      ],
      'Brokerage with unit costs': [
        expect.stringMatching(/^EXTMX 6120\.44\d* reported_per_unit purchase_price$/),
        'NWND 4120 reported_per_unit purchase_price',
        'null null null null',
        'cash 125.4',
      ],
      'Brokerage without prices paid': [
        'EXTMX 6120.44 reported_total market_value',
        'NWND 4120 reported_total market_value',
        'null null null null',
        'cash 125.4',
      ],
      'Brokerage with lots': [
        'EXTMX 930 reported_total purchase_price',
        'EXTMX 705.5 reported_total purchase_price',
        'cash 125.4',
      ],
      'Brokerage that contradicts itself': ['NWND null null null', 'cash 125.4'],
    });
  });

  it.each(['listed', 'empty', 'absent'])(
    'have the same holdings where a response without rows has them %s',
    async (holdings) => {
      const expected = (await read()).holdings;
      expect(expected).toHaveLength(12);
      await fetch(`${simulator.url}/simulator/simplefin/balances-only`, {
        method: 'POST',
        body: JSON.stringify({ holdings }),
      });
      expect((await read()).holdings).toEqual(expected);
    },
  );
});
