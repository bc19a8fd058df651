import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeys } from '../../../apps/platform/src/config/setting-parsers.js';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import { openTemporalClient } from '../../../apps/platform/src/temporal/temporal-client.js';
import { AppBackEnd, ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import type { AccountBody, TransactionBody, View } from '../../support/actors/response-bodies.js';
import {
  REDIRECT_URI,
  arriveAtApp,
  startRedirect,
  submitReturn,
} from '../../support/actors/oauth-journey.js';
import { dayOf, SyncedCopy } from './support/synced-copy.js';
import { eventually } from '../../support/assertions/eventually.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { readHistories } from '../../support/assertions/workflow-histories.js';
import { Canaries } from '../../support/fixtures/canaries.js';
import { addSecretsOf, essenceOf } from './support/provider-secrets.js';
import { HttpTap } from './support/http-tap.js';
import { Standalone } from '../../support/services/standalone.js';
import {
  addSimulatedProviders,
  LIVE_VENDORS,
  type LiveVendor,
  type SimulatedProviders,
} from '../../support/services/live-simulators.js';
import { signInAtFdxBank } from '../../../simulators/vendors/fdx/sign-in-at-fdx-bank.js';
import { createSetupToken } from '../../support/fixtures/simplefin-server.js';
import { answerQuestions } from '../../support/actors/answer-questions.js';

/** A user who has the same accounts at every simulated vendor. */
const MOVER = 'mover';

/** Logs the user in through a vendor, and shares everything; returns the final step. */
async function logInThrough(
  provider: LiveVendor,
  visit: ConnectVisit,
  { simulators }: Pick<SimulatedProviders, 'simulators'>,
): Promise<View> {
  if (provider === 'simplefin') {
    const setupToken = await createSetupToken(simulators.simplefin.url, MOVER);
    await visit.answer({ kind: 'form', values: { setup_token: setupToken } });
    return answerQuestions(visit);
  }
  const { authorize_url: authorizeUrl } = await startRedirect(visit);
  const returned =
    provider === 'fdx'
      ? (await signInAtFdxBank(authorizeUrl, { userName: MOVER })).href
      : await acceptAtEnableBanking(authorizeUrl);
  return submitReturn(visit, await arriveAtApp(returned));
}

async function acceptAtEnableBanking(authorizeUrl: string): Promise<string> {
  const { searchParams, href } = new URL(authorizeUrl);
  const sessionid = searchParams.get('sessionid') ?? '';
  const { headers } = await fetch(href.split('?')[0] ?? '', {
    method: 'POST',
    body: new URLSearchParams({ sessionid, customer: MOVER, decision: 'accept' }),
    redirect: 'manual',
  });
  const location = headers.get('location');
  if (location === null) throw new Error('the bank did not redirect');
  return location;
}

/** Records the responses of a server to the `fetch` calls of this process, headers and bodies. */
class RecordedAnswers {
  readonly texts: string[] = [];
  private readonly original = globalThis.fetch;

  constructor(private readonly baseUrl: () => string) {
    globalThis.fetch = async (...request) => {
      const response = await this.original.call(globalThis, ...request);
      if (response.url.startsWith(this.baseUrl())) {
        const headers = [...response.headers].map((header) => header.join(': '));
        this.texts.push(...headers, await response.clone().text());
      }
      return response;
    };
  }

  close(): void {
    globalThis.fetch = this.original;
  }
}

/** Data about the user's browser, which some banks require. */
const PSU = {
  'x-forwarded-for': '2001:db8:5afe:c0de:1234:5678:9abc:def0',
  'user-agent': 'canary-browser-of-the-user/1.0',
};
/** Names in the ledger of the simulators. */
const [CHECKING, SAVINGS, CARD] = [1, 2, 3].map((at) => `${MOVER}-meridian-${at}`);
/** The page that a web shield in front of a vendor returns instead of data. */
const SHIELD = 'Sorry, you have been blocked';
/** Not a setup token. */
const MISTYPED = 'canary-instead-of-a-setup-token';

let service: Standalone;
let providers: SimulatedProviders;
let app: AppBackEnd;
let truth: StoredTruth;
let linkId: string;
let copy: SyncedCopy;
const tap = new HttpTap();
/** The responses of the service to the app, Connect and the user's browser. */
const answers = new RecordedAnswers(() => service.info.base_url);

beforeAll(async () => {
  service = await Standalone.start({
    env: { LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.1/32', FETCH_RETRY_FOR: '100ms' },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
  providers = await addSimulatedProviders(service);
});
afterAll(async () => {
  tap.close();
  answers.close();
  await service?.dispose();
  await providers?.close();
});

const accounts = async () =>
  (await app.get<{ accounts: AccountBody[] }>(`/links/${linkId}/accounts`)).accounts;

const products = async () => (await app.link(linkId)).products;

/** Changes at the bank between two providers: a late row, a withdrawn row, and a row that posts. */
async function changeLedger(posting: string | undefined) {
  const { script } = providers.simulators.simplefin;
  await script('late_row', { account: CHECKING, description: 'LATE PURCHASE' });
  const { withdrawn } = (await script('withdraw_row', { account: SAVINGS })) as {
    withdrawn: { day: string; amount: string };
  };
  if (posting !== undefined) await script('post_pending', { account: posting });
  return withdrawn;
}

/** The rows of the ledger since the first day of the copy, in the form of the copy. */
async function ledgerLines(): Promise<string[]> {
  return (await heldAccounts())
    .flatMap(({ mask, rows }) =>
      rows
        .filter(({ day }) => day >= copy.oldest)
        .map((row) => {
          const isPending = row.status === 'pending';
          return [mask, row.day, Number(row.amount), isPending, row.description].join(' ');
        }),
    )
    .sort();
}

async function heldAccounts() {
  const { customers } = await providers.simulators.fdx.ledger();
  const mover = customers.find(({ id }) => id === MOVER);
  return mover?.connections.flatMap((connection) => connection.accounts) ?? [];
}

/** A fetch that the vendor answers with a page. */
async function failOnce(provider: LiveVendor): Promise<void> {
  // Enable Banking gives up an account, and the fetch once the next one meets a page, too.
  const calls = provider === 'enable-banking' ? { path: '/accounts/*', times: 2 } : {};
  await providers.simulators[provider].script('html_403', calls);
  await truth.requestFetch(linkId, 'accounts');
  await eventually(async () => {
    expect((await products())['accounts']?.error_code).not.toBeNull();
  });
}

async function moveTo(provider: LiveVendor): Promise<void> {
  const { refreshed_at: before } = (await products())['transactions'] ?? {};
  await providers.operate('links', 'move', linkId, '--to', provider);
  const { link_session_token: token } = await app.createSession({
    existing_link_id: linkId,
    redirect_uri: REDIRECT_URI,
  });
  const visit = await ConnectVisit.open(app.baseUrl, token, {}, PSU);
  expect(await logInThrough(provider, visit, providers)).toMatchObject({
    step: { kind: 'success' },
  });
  expect(await visit.finish()).toMatchObject({ mode: 'relink' });
  await eventually(async () => {
    expect(await app.link(linkId)).toMatchObject({
      state: 'connected',
      products: { accounts: { error_code: null }, transactions: { error_code: null } },
    });
    expect((await products())['transactions']?.refreshed_at).not.toBe(before);
  });
}

/** The members that each source fills in its own words, or not at all. */
function wordsOfSource(row: TransactionBody): Partial<TransactionBody> {
  const names = [
    'description',
    'counterparty',
    'merchant',
    'remittance',
    'references',
    'original',
    'transacted_at',
    'category',
    'category_source',
  ];
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}

describe('A link that moves from SimpleFIN to FDX, to Enable Banking and back', () => {
  let first: AccountBody[];

  it('starts with the data that SimpleFIN provides: no types, no numbers, no owners', async () => {
    const { link_session_token: token } = await app.createSession({
      customer_user: { id: randomUUID() },
      institution_id: providers.institutionId,
    });
    const visit = await ConnectVisit.open(app.baseUrl, token, {}, PSU);
    await visit.answer({ kind: 'form', values: { setup_token: MISTYPED } });
    expect(visit.view.step.error).toMatchObject({ code: 'setup_token_unreadable' });
    await logInThrough('simplefin', visit, providers);
    const { exchangeable_token: exchangeable } = await visit.finish();
    ({ link_id: linkId } = await expectStatus(201, app.exchange(exchangeable)));
    await app.untilRefreshed(linkId, 'transactions');
    copy = new SyncedCopy(app, linkId);
    await copy.sync();
    first = await accounts();
    expect(first.map(({ account_type: type }) => type)).toEqual(Array(3).fill('unknown'));
    expect(await copy.lines()).toEqual(await ledgerLines());
    await failOnce('simplefin');
  });

  it.each<[LiveVendor, string | undefined]>([
    ['fdx', CHECKING],
    ['enable-banking', CARD],
    ['simplefin', undefined],
  ])(
    'keeps its link, accounts and transactions at %s, and syncs only the changes',
    async (provider, posting) => {
      const withdrawn = await changeLedger(posting);
      await moveTo(provider);
      expect(
        (await accounts()).map(({ account_id: id, account_mask: mask }) => [id, mask]),
      ).toEqual(first.map(({ account_id: id, account_mask: mask }) => [id, mask]));
      const { created, updated, removed, before } = await copy.sync();
      expect(created.map((row) => row.raw_description)).toEqual(['LATE PURCHASE']);
      expect(
        removed.map((id) => before.get(id)).map((row) => [row && dayOf(row), row?.amount]),
      ).toEqual([[withdrawn.day, Number(withdrawn.amount)]]);
      // A text that differs between providers counts as a change, too: FDX names no payees of
      // cards.
      for (const row of updated) expect(row).not.toEqual(before.get(row.transaction_id));
      const posted = updated.filter(
        (row) => before.get(row.transaction_id)?.pending === true && !row.pending,
      );
      expect(posted.length > 0).toBe(posting !== undefined);
      for (const row of updated.filter((it) => !posted.includes(it)))
        expect({ ...before.get(row.transaction_id), ...wordsOfSource(row) }).toEqual(row);
      expect(await copy.lines()).toEqual(await ledgerLines());
      if (provider !== 'simplefin') await failOnce(provider);
    },
  );

  it('has each former permission revoked once, or listed as unrevoked where revoking is impossible', async () => {
    await eventually(async () => {
      expect(await truth.rows('SELECT provider FROM permission_revocations')).toEqual([]);
    });
    const { fdx, 'enable-banking': enableBanking } = providers.simulators;
    const revoked = (await fdx.requests()).filter(({ path }) => path.endsWith('/token/revocation'));
    expect(revoked).toHaveLength(1);
    const closed = (await enableBanking.requests()).filter(({ method }) => method === 'DELETE');
    expect(closed.map(({ path }) => path)).toEqual([expect.stringMatching('^/sessions/')]);
    // The link has one row: the row of the access URL that it uses now.
    expect(await truth.rows('SELECT provider FROM provider_credentials')).toEqual([
      { provider: 'simplefin' },
    ]);
    expect(await truth.rows('SELECT provider, reason FROM unrevoked_permissions')).toEqual([
      { provider: 'simplefin', reason: 'not_offered' },
    ]);
  });
});

describe('The keys, tokens, access URLs, user addresses and bodies of three providers', () => {
  /** These are nowhere in plain text, not even stored. */
  const sealed = new Canaries();
  /** The responses of vendors: only their rows are stored and shown. */
  const bodies = new Canaries();
  let printed = '';

  beforeAll(async () => {
    const { operate, secrets } = providers;
    for (const [name, secret] of Object.entries(secrets)) sealed.add(name, essenceOf(secret));
    for (const call of tap.calls.filter(({ url }) => !url.startsWith('/simulator/')))
      addSecretsOf(call, sealed);
    sealed.add('what was mistyped', MISTYPED);
    sealed.add('address of the user', PSU['x-forwarded-for']);
    sealed.add('browser of the user', PSU['user-agent']);
    for (const { id, iban } of await heldAccounts())
      if (iban !== null) sealed.add(`IBAN of ${id}`, iban);
    bodies.add('a row', 'PAYROLL NORTHWIND LTD');
    bodies.add('a page of a web shield', SHIELD);
    for (const name of LIVE_VENDORS)
      for (const args of [['show', name], ['show', name, '--json'], ['check', name], ['list']]) {
        const { stdout, stderr } = await operate('providers', ...args);
        printed += stdout + stderr;
      }
    const { stdout } = await operate('links', 'explain', linkId);
    printed += stdout;
  });

  const found = (text: string, ...sets: Canaries[]) => sets.flatMap((set) => set.findIn(text));

  it('are recorded by this test in sufficient number', () => {
    expect(sealed.count).toBeGreaterThan(40);
    const kinds = ['user of', 'claim of', 'bearer of', 'refresh_token of', 'client_assertion of'];
    for (const kind of kinds)
      expect(sealed.names.filter((it) => it.startsWith(kind))).not.toEqual([]);
    expect(tap.calls.map(({ headers }) => headers['psu-ip-address'])).toContain(
      PSU['x-forwarded-for'],
    );
    expect(tap.calls.filter(({ responseBody }) => responseBody.includes(SHIELD))).toHaveLength(4);
  });

  it('are in no log of any process, even at the most verbose level', () => {
    const logs = service.logs();
    expect(logs).toContain('"level":"trace"');
    const leaked = found(logs, sealed, bodies);
    expect(
      leaked.length === 0
        ? []
        : [leaked, ...logs.split('\n').filter((line) => found(line, sealed, bodies).length > 0)],
    ).toEqual([]);
  });

  it('are in no workflow history, decoded or not', async () => {
    const { master_keys: keys } = JSON.parse(
      readFileSync(join(service.dataDir, 'secrets.json'), 'utf8'),
    ) as { master_keys: string };
    const parsed = masterKeys(keys);
    const { temporal_address: address, temporal_namespace: namespace } = service.info;
    const temporal = openTemporalClient({ address, namespace, masterKeys: parsed });
    const histories = await readHistories(temporal, new EncryptingPayloadCodec(parsed));
    await temporal.close();
    for (const kind of ['link-session/', 'reauthentication/', 'product-refresh/', 'catalog-sync/'])
      expect(histories.filter(({ id }) => id.startsWith(kind))).not.toEqual([]);
    expect(
      histories
        .map(({ id, raw, decoded }) => [id, found(raw + decoded, sealed, bodies)])
        .filter(([, names]) => names?.length !== 0),
    ).toEqual([]);
  });

  it('are in no metric', async () => {
    const {
      metrics_url: api,
      worker_metrics_url: worker,
      webhooks_metrics_url: webhooks,
    } = service.info;
    for (const url of [api, worker, webhooks]) {
      const metrics = await (await fetch(url)).text();
      expect(metrics).toContain('# TYPE');
      expect(found(metrics, sealed, bodies)).toEqual([]);
    }
  });

  it('are in no response to apps and Connect, which show only the rows', () => {
    const text = answers.texts.join('\n');
    expect(found(text, bodies)).toEqual(['a row']);
    expect(found(text, sealed)).toEqual([]);
  });

  it('are not printed by operator commands', () => {
    expect(printed).toContain('privateKey');
    expect(found(printed, sealed, bodies)).toEqual([]);
  });

  it('are in no row of the database in plain text', async () => {
    expect(
      Object.entries(await truth.dump())
        .map(([table, text]) => [table, found(text, sealed)])
        .filter(([, names]) => names?.length !== 0),
    ).toEqual([]);
  });

  it('are gone with their configuration', async () => {
    await expectStatus(204, app.call('DELETE', `/links/${linkId}`));
    for (const name of LIVE_VENDORS)
      await eventually(() => providers.operate('providers', 'remove', name));
    expect(await truth.rows('SELECT name FROM provider_configurations')).toEqual([]);
    expect(
      await truth.rows(
        "SELECT owner FROM data_keys WHERE owner ~ '^(provider|credential|revocation)/'",
      ),
    ).toEqual([]);
  });
});
