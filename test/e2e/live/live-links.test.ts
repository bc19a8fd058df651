import { Decimal } from 'decimal.js';
import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import {
  chooseLiveBank,
  linkLive,
  logInLive,
  goThroughLiveBank,
  newSetupToken,
} from './support/live-journey.js';
import { AppBackEnd, expectStatus, type ConnectVisit } from '../../support/actors/link-journey.js';
import type { AccountBody, TransactionBody, View } from '../../support/actors/response-bodies.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  LIVE_BANKS,
  LIVE_VENDORS,
  type LiveSimulators,
  type LiveVendor,
  startLiveSimulators,
} from '../../support/services/live-simulators.js';
import {
  live,
  service,
  startLiveService,
  truth,
  untilConfigurationsAreChecked,
} from './support/live-service.js';
import { describeSessionSwapping } from './support/session-swapping.js';
import { representatives } from '../../support/runner/representatives.js';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { ENABLE_BANKING_LIMITS } from '../../../providers/enable-banking/client/api-client.js';
import { startCall } from '../../support/actors/oauth-journey.js';
import { operate } from '../../support/actors/operator.js';
import { tokenForm } from '../../support/fixtures/simplefin-server.js';

const OTHER_ROUTE = { code: 'other_route', text: expect.stringContaining('another') as string };

/** The logins of a visit, oldest first: the reason for the route of each, and its outcome. */
async function decisionsOf(visit: ConnectVisit) {
  const { link_id: linkId = '' } = (await truth.linkOfSession(visit.view.session_id)) ?? {};
  const decisions = await operate<{ why: string; chosen: string; failed_cause: string | null }[]>(
    service.dataDir,
    ...['links', 'explain', linkId],
  );
  return decisions.map(({ why, chosen, failed_cause: cause }) => [why, chosen, cause]).reverse();
}

const startRefused = async (visit: ConnectVisit): Promise<View> => {
  const { view } = await expectStatus(409, startCall(visit));
  if (view === undefined) throw new Error('the refusal has no view');
  visit.view = view;
  return view;
};

/** A redirect and a setup token. */
const OFFERED = representatives(
  ['simplefin', 'enable-banking', 'fdx'] as const,
  (vendor) => vendor !== 'enable-banking',
);

/** A configuration is added before that of each bank; its server is silent, then unavailable. */
function describeFailover(): void {
  let app: AppBackEnd;
  let first: LiveSimulators;
  let tokenOfServerThatIsAway: string;
  beforeAll(async () => {
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    first = await startLiveSimulators(service, { prefix: 'a-' });
    tokenOfServerThatIsAway = await newSetupToken(first);
    // A check that finds them unavailable would rank their routes last.
    await untilConfigurationsAreChecked();
  });

  describe('A redirect through a provider that accepts the call and stays silent', () => {
    it('is offered through the next provider long before the adapter would give up, and the silence counts against its route', async () => {
      const { script } = first.simulators['enable-banking'];
      await script('silent', { path: '/auth' });
      const visit = await chooseLiveBank(app, 'enable-banking');
      const offered = await soonerThan(ENABLE_BANKING_LIMITS.loginTimeoutMs, startRefused(visit));
      expect(offered.step).toMatchObject({ kind: 'redirect', started: false, error: OTHER_ROUTE });
      expect((await goThroughLiveBank(visit, 'enable-banking')).step.kind).toBe('success');
      expect(await decisionsOf(visit)).toEqual([
        ['first', 'a-enable-banking', 'institution_timeout'],
        ['failover', 'enable-banking', null],
      ]);
    });
  });

  describe('whose server is away', () => {
    beforeAll(() => first.close());

    describe.each(OFFERED.filter((vendor) => vendor !== 'simplefin'))(
      'A redirect through %s',
      (vendor) => {
        it('is offered through the next provider, with the reason, when the first one cannot be reached', async () => {
          const visit = await chooseLiveBank(app, vendor);
          expect(visit.view.step).toMatchObject({ kind: 'redirect', error: null });
          const offered = await startRefused(visit);
          expect(offered.step).toMatchObject({
            kind: 'redirect',
            started: false,
            error: OTHER_ROUTE,
          });
          expect((await goThroughLiveBank(visit, vendor)).step.kind).toBe('success');
          expect(await decisionsOf(visit)).toEqual([
            ['first', `a-${vendor}`, 'provider_down'],
            ['failover', vendor, null],
          ]);
        });
      },
    );

    describe('A setup token that could not be claimed', () => {
      it('is not sent to another provider, and another attempt requests a token of the next provider', async () => {
        const visit = await chooseLiveBank(app, 'simplefin');
        expect(visit.view.step).toMatchObject({ kind: 'form', error: null });
        await visit.answer(tokenForm(tokenOfServerThatIsAway));
        expect(visit.view.step).toMatchObject({
          kind: 'error',
          error_id: 'connect_error.provider_down',
        });
        await visit.answer({ kind: 'error', action: 'retry' });
        expect(visit.view.step).toMatchObject({ kind: 'form', error: OTHER_ROUTE });
        expect((await logInLive(visit, 'simplefin', live)).step.kind).toBe('success');
        expect(await decisionsOf(visit)).toEqual([
          ['first', 'a-simplefin', 'provider_down'],
          ['failover', 'simplefin', null],
        ]);
      });
    });

    describe('The health of a route', () => {
      it.each(OFFERED)('includes the first calls to an unavailable server: %s', async (vendor) => {
        // Workers store their counts every two seconds.
        await eventually(async () => {
          const counted = await truth.rows(
            "SELECT successes, last_cause FROM route_health WHERE provider = $1 AND operation = 'login'",
            [`a-${vendor}`],
          );
          expect(counted).toEqual([{ successes: 0, last_cause: 'provider_down' }]);
        });
      });
    });
  });
}

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
describe('With a further configuration for each bank', describeFailover);
