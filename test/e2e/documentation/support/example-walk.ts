import { randomUUID } from 'node:crypto';
import { AppBackEnd, INSTANT_BANK } from '../../../support/actors/link-journey.js';
import { CREDENTIALS_BANK } from '../../../support/actors/credentials-journey.js';
import {
  arriveAtApp,
  decideAtBank,
  OAUTH_BANK,
  REDIRECT_URI,
} from '../../../support/actors/oauth-journey.js';
import type {
  ExchangeResponse,
  LinkBody,
  SessionResponse,
  SessionResult,
  View,
} from '../../../support/actors/response-bodies.js';
import type { KeyPair } from '../../../support/services/standalone.js';
import type { ExampleCalls } from './example-calls.js';
import { readEvents } from './example-events.js';

export const USER = 'user-4711';
const PREFETCHED = { required: true, prefetch: true };
const SDK = { platform: 'web', device: 'desktop', locale: 'en' };

type Opened = View & { connect_token: string };

/**
 * One app from its first token to the erasure of its user: calls every operation that returns JSON, except those
 * that need another set-up.
 */
export async function walk(
  calls: ExampleCalls,
  { baseUrl, pair, webhook }: { baseUrl: string; pair: KeyPair; webhook: string },
): Promise<void> {
  await callTokens(calls, pair);
  await callPublic(calls);
  const worldId = await createWorld(calls);
  await declineSession(calls);
  const linkId = await linkBank(calls, worldId, webhook);
  const app = new AppBackEnd(baseUrl, pair);
  for (const product of ['account_numbers', 'identity']) await app.untilRefreshed(linkId, product);
  await app.untilHistory(linkId);
  await loginAtBank(calls);
  await readProducts(calls, linkId);
  await callLinks(calls, linkId);
  await useSandbox(calls, worldId, linkId);
  await readInvestmentsAndDebts(calls);
  await readEvents(calls, linkId);
  await callUser(calls);
  await tidyUp(calls, worldId, linkId);
}

async function callTokens(calls: ExampleCalls, pair: KeyPair): Promise<void> {
  const form = { grant_type: 'client_credentials', ...pair };
  const { access_token: token } = await calls.call<{ access_token: string }>('tokens.create', {
    form,
  });
  await calls.call('tokens.createByOAuth', {
    form: { ...form, scope: 'links:read products:read' },
  });
  calls.token = token;
  await calls.call('tokens.introspect');
}

async function callPublic(calls: ExampleCalls): Promise<void> {
  await calls.call('service.isLive', { token: null });
  await calls.call('service.isReady', { token: null });
  await calls.call('webhooks.listKeys', { token: null });
  await calls.call('institutions.list', { query: 'limit=2' });
  await calls.call('institutions.get', { path: { institution_id: INSTANT_BANK } });
}

async function createWorld(calls: ExampleCalls): Promise<string> {
  const { world_id: worldId } = await calls.call<{ world_id: string }>('sandbox.createWorld', {
    json: { name: 'March', start: '2026-03-02T10:15:00Z', seed: 7 },
  });
  await calls.call('sandbox.listWorlds');
  await calls.call('sandbox.getWorld', { path: { world_id: worldId } });
  return worldId;
}

/** A user who sees the form of a bank and leaves. */
async function declineSession(calls: ExampleCalls): Promise<void> {
  const { token, seq } = await openSession(calls, {
    json: {
      customer_user: { id: 'user-4712', email: { address: 'robin.vale@mail.example' } },
      redirect_uri: REDIRECT_URI,
      settings: { countries: ['US'] },
      products_settings: { transactions: PREFETCHED, identity: { required: false } },
      tags: ['tier:gold'],
    },
  });
  await calls.call('connect.searchInstitutions', { token, query: 'q=bank&limit=2' });
  await submit(calls, token, seq, {
    kind: 'select_institution',
    institution_id: CREDENTIALS_BANK,
  });
  await calls.call('connect.getSession', { token, query: `after_seq=${seq}&wait=20` });
  await calls.call('connect.extendSession', { token, json: { request_id: randomUUID() } });
  await calls.call('connect.exitSession', {
    token,
    json: { request_id: randomUUID(), reason: 'user_closed' },
  });
}

/** A hosted session that links an account at Instant Bank, whose events go to `webhook`. */
async function linkBank(calls: ExampleCalls, worldId: string, webhook: string): Promise<string> {
  const { sessionId, origin } = await openSession(calls, {
    json: {
      customer_user: { id: USER },
      hosted: {},
      world_id: worldId,
      webhook,
      tags: ['tier:gold'],
      products_settings: {
        account_numbers: PREFETCHED,
        identity: PREFETCHED,
        transactions: { ...PREFETCHED, extend_history: true },
      },
    },
  });
  const {
    view: { connect_token: token, seq },
  } = await calls.call<{ view: Opened }>('connect.reopenSession', {
    token: null,
    json: { session_id: sessionId, request_id: randomUUID(), origin, ...SDK },
  });
  await submit(calls, token, seq, { kind: 'select_institution', institution_id: INSTANT_BANK });
  await calls.call('connect.finishSession', {
    token,
    json: { request_id: randomUUID() },
  });
  const { exchangeable_token: exchangeable } = await calls.call<SessionResult>('linkSessions.get', {
    path: { id: sessionId },
  });
  const { link_id: linkId } = await calls.call<ExchangeResponse>('linkSessions.exchangeToken', {
    json: { exchangeable_token: exchangeable, expected_customer_user_id: USER },
  });
  return linkId;
}

/** A login at the pages of a bank, continued in the window that the bank redirected to. */
async function loginAtBank(calls: ExampleCalls): Promise<void> {
  const session = { customer_user: { id: 'user-4713' }, redirect_uri: REDIRECT_URI };
  const first = await startRedirect(calls, session);
  await calls.call('connect.completeOAuth', {
    token: first.token,
    json: { request_id: randomUUID(), url: first.url },
  });
  const second = await startRedirect(calls, session);
  await calls.call('connect.findResumable', { token: null, json: { url: second.url } });
  await calls.call('connect.resumeSession', {
    token: null,
    json: { request_id: randomUUID(), origin: null, ...SDK, url: second.url },
  });
}

async function startRedirect(
  calls: ExampleCalls,
  session: Record<string, unknown>,
): Promise<{ token: string; url: string }> {
  const { token, seq } = await openSession(calls, { json: session });
  const view = await submit(calls, token, seq, {
    kind: 'select_institution',
    institution_id: OAUTH_BANK,
  });
  const { authorize_url: address } = await calls.call<{ authorize_url: string }>(
    'connect.startOAuth',
    { token, json: { seq: view.seq, request_id: randomUUID(), window: 'popup' } },
  );
  return { token, url: await arriveAtApp(await decideAtBank(address)) };
}

async function readProducts(calls: ExampleCalls, linkId: string): Promise<void> {
  const path = { id: linkId };
  const { accounts } = await calls.call<{ accounts: { account_id: string }[] }>('accounts.list', {
    path,
  });
  const account = { id: linkId, account_id: accounts[0]?.account_id ?? '' };
  await calls.call('accounts.get', { path: account });
  await calls.call('accounts.listBalances', { path: account });
  await calls.call('accounts.listNumbers', { path });
  await calls.call('identity.get', { path });
  const dates = 'start_date=2026-01-01';
  const { transactions } = await calls.call<{ transactions: { transaction_id: string }[] }>(
    'transactions.list',
    { path, query: `size=2&${dates}` },
  );
  await calls.call('transactions.sync', { path, query: 'size=2' });
  await calls.call('transactions.getNumbers', {
    path: { id: linkId, transaction_id: transactions[0]?.transaction_id ?? '' },
  });
  await calls.call('recurring.list', { path, query: 'limit=2' });
}

/** Investments and debts of a link of its own, since the products of a link are in many examples. */
async function readInvestmentsAndDebts(calls: ExampleCalls): Promise<void> {
  const { link_id: id } = await calls.call<{ link_id: string }>('sandbox.createLink', {
    json: {
      institution_id: INSTANT_BANK,
      customer_user: { id: 'user-4716' },
      settings: { products: ['accounts', 'investments', 'liabilities'] },
    },
  });
  const { holdings } = await calls.call<{ holdings: { holding_id: string }[] }>('holdings.list', {
    path: { id },
    query: 'limit=2',
  });
  await calls.call('investmentTransactions.list', { path: { id }, query: 'size=2' });
  await calls.call('investmentTransactions.sync', { path: { id }, query: 'size=2' });
  const { liabilities } = await calls.call<{ liabilities: { account_id: string }[] }>(
    'liabilities.list',
    { path: { id }, query: 'limit=2' },
  );
  const [holding, liability] = [holdings[0]?.holding_id, liabilities[0]?.account_id];
  await calls.call('sandbox.runHoldingsScript', {
    path: { id },
    json: { script: [{ verb: 'set', holding_id: holding, price: '212.40' }] },
  });
  await calls.call('sandbox.runLiabilitiesScript', {
    path: { id },
    json: { script: [{ verb: 'set', account_id: liability, is_overdue: true }] },
  });
}

async function callLinks(calls: ExampleCalls, linkId: string): Promise<void> {
  const path = { id: linkId };
  await calls.call('links.get', { path });
  await calls.call('links.export', { path });
  await calls.call('links.list', { query: 'limit=1' });
  await calls.call('linkSessions.list', { query: 'limit=2' });
  await calls.call('links.update', { path, json: { tags: ['tier:gold', 'beta'] } });
  await calls.call('links.refreshProducts', { path, json: { products: ['transactions'] } });
  const account = {
    account_id: 'checking-1',
    name: 'Everyday Checking',
    type: 'checking',
    mask: '1234',
    balances: { currency: 'USD', current: '1250.75', available: 1200.5 },
  };
  const transaction = {
    account_id: 'checking-1',
    transaction_id: 'row-1',
    date: '2026-02-27',
    amount: '-42.10',
    description: 'Corner Cafe',
    merchant: { name: 'Corner Cafe', mcc: '5814' },
  };
  const { link_id: imported } = await calls.call<LinkBody>('links.import', {
    json: {
      customer_user: { id: 'user-4714' },
      institution_id: INSTANT_BANK,
      accounts: [account],
      transactions: [transaction],
      tags: ['imported'],
    },
  });
  await calls.call('links.importTransactions', {
    path: { id: imported },
    json: {
      transactions: [{ ...transaction, transaction_id: 'row-2', date: '2026-02-28', amount: 1500 }],
    },
  });
}

async function useSandbox(calls: ExampleCalls, worldId: string, linkId: string): Promise<void> {
  const { link_id: other } = await calls.call<{ link_id: string }>('sandbox.createLink', {
    json: {
      institution_id: INSTANT_BANK,
      customer_user: { id: 'user-4715' },
      settings: { products: ['accounts', 'transactions'] },
    },
  });
  await calls.call('sandbox.runScript', {
    path: { id: linkId },
    json: {
      script: [
        { verb: 'authorize', ref: 'coffee', amount: 4.5, description: 'Corner Cafe' },
        { verb: 'post', ref: 'coffee' },
      ],
    },
  });
  const path = { institution_id: INSTANT_BANK };
  const { fault_id: faultId } = await calls.call<{ fault_id: string }>('sandbox.createFault', {
    path,
    json: { kind: 'timeout', operation: 'transactions', count: 2 },
  });
  await calls.call('sandbox.listFaults', { path });
  await calls.call('sandbox.deleteFault', { path: { fault_id: faultId } });
  await calls.call('sandbox.advanceWorld', { path: { world_id: worldId }, json: { by: 'P1D' } });
  await calls.call('sandbox.expireAuth', { path: { id: other }, json: { mode: 'now' } });
  await calls.call('links.reset', { path: { id: other } });
}

async function callUser(calls: ExampleCalls): Promise<void> {
  const path = { id: USER };
  await calls.call('users.listAccounts', { path });
  await calls.call('users.listLinks', { path });
  await calls.call('users.listTransactions', {
    path,
    query: 'size=2&start_date=2026-01-01',
  });
  const { token_id } = await calls.call<{ token_id: string }>('users.createSimplefinToken', {
    path,
    json: { name: 'Actual Budget' },
  });
  await calls.call('users.listSimplefinTokens', { path });
  await calls.call('users.export', { path });
  await calls.call('users.revokeSimplefinToken', { path: { ...path, token_id } });
  await calls.call('users.erase', { path });
}

async function tidyUp(calls: ExampleCalls, worldId: string, linkId: string): Promise<void> {
  void linkId;
  await calls.call('sandbox.deleteWorld', { path: { world_id: worldId } });
}

async function openSession(
  calls: ExampleCalls,
  { json }: { json: Record<string, unknown> },
): Promise<{ token: string; seq: number; sessionId: string; origin: string | null }> {
  const {
    link_session_token: sessionToken,
    session_id: sessionId,
    hosted_url: page,
  } = await calls.call<SessionResponse & { session_id: string; hosted_url: string | null }>(
    'linkSessions.create',
    { json },
  );
  const origin = page === null ? null : new URL(page).origin;
  const { connect_token: token, seq } = await calls.call<Opened>('connect.openSession', {
    token: null,
    json: {
      link_session_token: sessionToken,
      request_id: randomUUID(),
      origin,
      ...SDK,
      sdk: { name: 'connect-js', version: '0.1.0' },
    },
  });
  return { token, seq, sessionId, origin };
}

/** Submits an input and follows the view until the user is asked again. */
async function submit(
  calls: ExampleCalls,
  token: string,
  seq: number,
  input: Record<string, unknown>,
): Promise<View> {
  let view = await calls.call<View>('connect.submitStep', {
    token,
    json: { seq, request_id: randomUUID(), input },
  });
  while (view.step.kind === 'wait')
    view = await calls.call<View>('connect.getSession', {
      token,
      query: `after_seq=${view.seq}&wait=2`,
    });
  return view;
}
