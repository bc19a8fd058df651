import { Decimal } from 'decimal.js';
import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import { chooseLiveBank, linkLive, logInLive } from './support/live-journey.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import type { AccountBody, TransactionBody } from '../../support/actors/response-bodies.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  LIVE_BANKS,
  LIVE_VENDORS,
  type LiveVendor,
} from '../../support/services/live-simulators.js';
import { live, service, startLiveService, truth } from './support/live-service.js';
import { describeFailover } from './support/failover.js';
import { describeSessionSwapping } from './support/session-swapping.js';
import { representatives } from '../../support/runner/representatives.js';

startLiveService();

let app: AppBackEnd;
beforeAll(() => {
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
});

interface Shown {
  accounts: AccountBody[];
  transactions: TransactionBody[];
}

/** Everything that an app reads of a link. */
async function read(linkId: string): Promise<Shown> {
  const { accounts } = await app.get<Shown>(`/links/${linkId}/accounts`);
  const { pages } = await app.walk(linkId, { size: 500 });
  return { accounts, transactions: pages.flatMap((page) => page.transactions.created) };
}

/** The accounts in one currency that the customer has at a bank, or at all banks of a vendor. */
async function ledgerAccounts(vendor: LiveVendor): Promise<Account[]> {
  const { customers, banks } = await live.simulators[vendor].ledger();
  const reached = banks.filter(({ vendors }) => vendors.includes(vendor)).map(({ id }) => id);
  const { bank } = LIVE_BANKS[vendor];
  return customers
    .filter(({ id }) => id === 'trial')
    .flatMap(({ connections }) => connections)
    .filter(({ bankId }) => (bank === null ? reached.includes(bankId) : bankId === bank))
    .flatMap(({ accounts }) => accounts)
    .filter(({ currency }) => /^[A-Z]{3}$/.test(currency));
}

/** Waits until no former permission of a link remains to be revoked. */
const untilReleased = (linkId: string) =>
  eventually(async () => {
    const left = await truth.rows(
      'SELECT 1 FROM permission_revocations r JOIN links l ON l.pk = r.link_pk WHERE l.link_id = $1',
      [linkId],
    );
    expect(left).toEqual([]);
  });

const idsOf = ({ accounts, transactions }: Shown) => ({
  accounts: accounts.map((account) => account.account_id).toSorted(),
  transactions: transactions.map((row) => row.transaction_id).toSorted(),
});

// Conformance and integration prove each adapter; failover below links with a token.
const CHOSEN = representatives(LIVE_VENDORS, (vendor) => vendor === 'fdx');

describe.each(CHOSEN)('A link through %s', (vendor) => {
  let linkId: string;

  it('has the accounts and the rows of the ledger', async () => {
    linkId = await linkLive(app, vendor, live);
    await app.untilRefreshed(linkId, 'transactions');
    expect(await app.link(linkId)).toMatchObject({
      state: 'connected',
      institution_id: LIVE_BANKS[vendor].id,
    });
    const [ledger, shown] = [await ledgerAccounts(vendor), await read(linkId)];
    expect(shown.accounts.map((account) => account.account_mask).toSorted()).toEqual(
      ledger.map(({ mask }) => mask).toSorted(),
    );
    const [first] = ledger;
    const ours = shown.accounts.find((account) => account.account_mask === first?.mask);
    const since = first?.rows.at(-20)?.day ?? '';
    const inOrder = (rows: unknown[][]) => rows.map((row) => row.join(' ')).toSorted();
    expect(
      inOrder(
        shown.transactions
          .filter(({ account_id: id, date }) => id === ours?.account_id && date >= since)
          .map((row) => [row.date, row.type, row.amount, row.currency, row.pending]),
      ),
    ).toEqual(
      inOrder(
        (first?.rows ?? [])
          .filter(({ day }) => day >= since)
          .map(({ day, amount, status }) => [
            `${day}T00:00:00`,
            amount.startsWith('-') ? 'debit' : 'credit',
            new Decimal(amount).abs().toNumber(),
            first?.currency,
            status === 'pending',
          ]),
      ),
    );
  });

  it('loses its permission when the customer ends it at the vendor, and a relink restores it with the same ids', async () => {
    const before = await read(linkId);
    const refreshedAt = (await app.link(linkId)).products['transactions']?.refreshed_at;
    await live.simulators[vendor].script('end_consent', { vendor, customer: 'trial' });
    await app.call('POST', `/links/${linkId}/products`, { body: { products: ['transactions'] } });
    await eventually(async () =>
      expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'auth_expired' }),
    );

    const visit = await chooseLiveBank(app, vendor, { existing_link_id: linkId });
    expect((await logInLive(visit, vendor, live)).step.kind).toBe('success');
    expect(await visit.finish()).toMatchObject({ mode: 'relink' });
    await eventually(async () => {
      const { state, products } = await app.link(linkId);
      const { refreshed_at: at, error_code: error } = products['transactions'] ?? {};
      expect({ state, error }).toEqual({ state: 'connected', error: null });
      expect(at).not.toBe(refreshedAt);
    });
    await untilReleased(linkId);
    expect(idsOf(await read(linkId))).toEqual(idsOf(before));
  });

  it('has its permission revoked once when the app deletes it', async () => {
    const simulator = live.simulators[vendor];
    const known = (await simulator.requests()).length;
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    await untilReleased(linkId);
    const calls = (await simulator.requests())
      .slice(known)
      .map(({ method, path }) => `${method} ${path}`);
    expect(calls).toEqual(
      {
        // The protocol has no revocation: the access is discarded.
        simplefin: [],
        'enable-banking': [expect.stringMatching(/^DELETE \/sessions\/[\w-]+$/)],
        fdx: ['POST /first-fdx/token/revocation'],
      }[vendor],
    );
    expect((await app.call('GET', `/links/${linkId}/accounts`)).status).toBe(410);
  });
});

// These tests need the same service, and failover comes last: its configurations precede those above.
describeSessionSwapping();
describe('With a further configuration for each bank, whose server is away', describeFailover);
