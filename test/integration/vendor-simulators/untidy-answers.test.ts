import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { createFdxProvider } from '../../../providers/fdx/fdx-adapter.js';
import type {
  Provider,
  ProviderAccess,
  SourceFault,
} from '../../../providers/contract/provider.js';
import {
  accessAt,
  enableBankingFor,
  registerApplication,
} from '../../support/fixtures/enable-banking-application.js';
import {
  linkAtFdx,
  pinnedFdxConfiguration,
} from '../../support/fixtures/fdx-bank-configuration.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import { linkAtSimplefin, simplefinAt } from '../../support/fixtures/simplefin-server.js';
import {
  startVendorSimulator,
  testSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

interface Linked {
  simulator: TestSimulator;
  provider: Provider;
  access: ProviderAccess;
}

const VENDORS: Readonly<Record<string, () => Promise<Linked>>> = {
  async simplefin() {
    const simulator = await startVendorSimulator('simplefin');
    const provider = simplefinAt(simulator.url);
    const linked = await linkAtSimplefin(provider, loginContext({ remoteId: 'us' }), {
      origin: simulator.url,
    });
    return { simulator, provider, access: accessWith(linked, 'us') };
  },
  async 'enable-banking'() {
    const simulator = await startVendorSimulator('enable-banking');
    const provider = enableBankingFor(await registerApplication(simulator.url));
    return { simulator, provider, access: await accessAt(provider, simulator.url, 'meridian') };
  },
  async fdx() {
    const bank = await createFdxBank({ ledger: new Ledger() });
    const provider = createFdxProvider(await pinnedFdxConfiguration(bank));
    const linked = await linkAtFdx(provider, loginContext({ remoteId: 'plain-fdx' }));
    return { simulator: testSimulator(bank), provider, access: accessWith(linked, 'plain-fdx') };
  },
};

/** The orders of `untidy`, in the words of the README of the simulators. */
const BROKEN_ROW: Readonly<Record<string, Record<string, unknown>>> = {
  simplefin: { place: 'accounts[0].transactions[0].amount', value: 'much' },
  'enable-banking': {
    path: '/accounts/*/transactions',
    place: 'transactions[0].transaction_amount',
  },
  fdx: { path: '/*/transactions', place: 'transactions[0].amount', value: 'much' },
};

describe.each(Object.keys(VENDORS))('The simulator of %s', (vendor) => {
  let linked: Linked;
  const faults: SourceFault[] = [];
  beforeAll(async () => {
    const linking = VENDORS[vendor];
    if (linking === undefined) throw new Error(`no vendor ${vendor}`);
    linked = await linking();
    linked.access.note = (fault) => void faults.push(fault);
  });
  afterAll(() => linked.simulator.close());

  const today = utcDay(new Date());
  async function countRows(): Promise<number> {
    const { provider, access } = linked;
    faults.splice(0);
    let count = 0;
    const window = { from: addDays(today, -30), to: today };
    for await (const page of provider.fetchTransactions?.(access, window) ?? [])
      count += page.transactions.length;
    return count;
  }

  it('sends a row that cannot be read where a script orders one, until `tidy`', async () => {
    const whole = await countRows();
    expect({ isWhole: whole > 0, faults }).toEqual({ isWhole: true, faults: [] });
    await linked.simulator.script('untidy', BROKEN_ROW[vendor]);
    const lost = whole - (await countRows());
    expect(lost).toBeGreaterThan(0);
    expect(faults.filter(({ scope }) => scope === 'row')).toHaveLength(lost);
    await linked.simulator.script('tidy');
    expect({ rows: await countRows(), faults }).toEqual({ rows: whole, faults: [] });
  });

  it('omits a field without a value, in every item of a list with *', async () => {
    const path = vendor === 'simplefin' ? '/simplefin/accounts' : '/*/transactions';
    const rows = vendor === 'simplefin' ? 'accounts[*].transactions[*]' : 'transactions[*]';
    const amount = vendor === 'enable-banking' ? 'transaction_amount' : 'amount';
    await linked.simulator.script('untidy', { path, place: `${rows}.${amount}` });
    expect(await countRows()).toBe(0);
    expect(new Set(faults.map(({ scope, reason }) => `${scope} ${reason}`))).toEqual(
      new Set(['row missing']),
    );
    await linked.simulator.script('tidy');
  });

  it('refuses a field that cannot exist', async () => {
    await expect(linked.simulator.script('untidy', { place: 'accounts[' })).rejects.toThrow(
      'place',
    );
  });
});
