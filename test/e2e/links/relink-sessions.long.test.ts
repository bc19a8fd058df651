import {
  chooseCredentialsBank,
  goThroughCredentialsBank,
  linkCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type { View } from '../../support/actors/response-bodies.js';
import {
  chooseOAuthBank,
  goThroughOAuthBank,
  REDIRECT_URI,
} from '../../support/actors/oauth-journey.js';
import { representatives } from '../../support/runner/representatives.js';
import {
  app,
  truth,
  receiver,
  shareServiceForRelinks,
  relink,
  reset,
  accountsOf,
  rowsOf,
  shown,
  untilAnnounced,
  REPAIRED,
} from './support/relinks.js';

shareServiceForRelinks();

interface Repairable {
  linkId: string;
  /** The user's actions in the session, up to its last step. */
  repair: (visit: ConnectVisit) => Promise<View>;
  fields?: Record<string, unknown>;
}

const BANKS: Record<string, () => Promise<Repairable>> = {
  'Instant Bank': async () => ({
    linkId: (await linkInstantBank(app)).linkId,
    repair: (visit) => Promise.resolve(visit.view),
  }),
  'Credentials Bank': async () => ({
    linkId: (await linkCredentialsBank(app)).linkId,
    repair: (visit) => goThroughCredentialsBank(visit, 'user_good'),
  }),
  'OAuth Bank': async () => {
    const { visit } = await chooseOAuthBank(app);
    await goThroughOAuthBank(visit);
    const { link_id: linkId } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    return {
      linkId,
      fields: { redirect_uri: REDIRECT_URI },
      repair: (again) => goThroughOAuthBank(again),
    };
  },
};

const banks = representatives(Object.keys(BANKS), (bank) => bank === 'OAuth Bank');

describe.each(banks)('A broken link at %s (link-lifecycle 15, check 2)', (bank) => {
  it('is repaired in a session that opens at the bank, with the same ids and cursor and without a token', async () => {
    const { linkId, repair, fields } = await (
      BANKS[bank] ?? (BANKS['Instant Bank'] as () => Promise<Repairable>)
    )();
    await app.untilRefreshed(linkId, 'transactions');
    const { cursor } = await app.walk(linkId);
    const before = {
      accounts: (await accountsOf(linkId)).map(({ account_id: id }) => id),
      rows: await rowsOf(linkId),
    };
    await reset(linkId);
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'auth_expired' });

    const { visit } = await relink(linkId, fields);
    expect(visit.view).toMatchObject({
      mode: 'relink',
      institution: { name: bank },
      step: {
        kind: { 'Instant Bank': 'success', 'Credentials Bank': 'form', 'OAuth Bank': 'redirect' }[
          bank
        ],
      },
    });
    // No question is shown: no product was added, and every account is already shared.
    expect((await repair(visit)).step.kind).toBe('success');
    const result = await visit.finish();
    expect(result).toMatchObject({
      mode: 'relink',
      session_id: visit.view.session_id,
      institution: { name: bank },
    });
    expect(result).not.toHaveProperty('exchangeable_token');
    expect(result).not.toHaveProperty('expires_in');
    expect(result.accounts.map(({ account_id: id }) => id)).toEqual(before.accounts);

    await untilAnnounced(linkId, REPAIRED);
    expect(await app.link(linkId)).toMatchObject({
      link_id: linkId,
      state: 'connected',
      error_code: null,
    });
    expect((await accountsOf(linkId)).map(({ account_id: id }) => id)).toEqual(before.accounts);
    expect(await rowsOf(linkId)).toEqual(before.rows);
    const since = await app.walk(linkId, { cursor });
    expect(
      since.pages.flatMap(({ transactions: { created, removed } }) => [...created, ...removed]),
    ).toEqual([]);
  });
});

describe('A healthy link', () => {
  it('is renewed by a relink without a change of state', async () => {
    const { linkId } = await linkCredentialsBank(app);
    await app.untilRefreshed(linkId, 'transactions');
    const { visit } = await relink(linkId);
    expect((await goThroughCredentialsBank(visit, 'user_good')).step.kind).toBe('success');
    await untilAnnounced(linkId, [
      'transactions.updates_available has_history=false',
      ...REPAIRED.slice(2),
    ]);
    expect((await truth.story(linkId)).filter((event) => event.startsWith('state'))).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state connected',
    ]);
  });

  it('gets added products when the user grants them in a relink', async () => {
    const { linkId } = await linkCredentialsBank(app, 'user_good', { products_settings: {} });
    expect(Object.keys((await app.link(linkId)).products)).toEqual(['accounts']);
    const fields = {
      products_settings: { transactions: { extend_history: true, reason: 'show your spending' } },
    };

    const declining = (await relink(linkId, fields)).visit;
    expect(await signIn(declining, 'user_good')).toMatchObject({
      step: {
        kind: 'consent',
        products: [
          { product: 'accounts', granted: true, required: false, locked: true },
          { product: 'transactions', reason: 'show your spending', locked: false },
        ],
      },
    });
    expect((await declining.answer({ kind: 'consent', granted: ['accounts'] })).step.kind).toBe(
      'success',
    );
    expect(Object.keys((await app.link(linkId)).products)).toEqual(['accounts']);

    const granting = (await relink(linkId, fields)).visit;
    await signIn(granting, 'user_good');
    expect(
      (await granting.answer({ kind: 'consent', granted: ['accounts', 'transactions'] })).step.kind,
    ).toBe('success');
    await app.untilHistory(linkId);
    expect((await rowsOf(linkId)).length).toBeGreaterThan(0);
  });

  it('gets newly offered accounts in a relink, and keeps its own', async () => {
    const { visit: first } = await chooseCredentialsBank(app);
    await signIn(first, 'user_good');
    await first.answer({ kind: 'consent', granted: ['transactions'] });
    await first.answer({ kind: 'select_accounts', refs: ['a2'] });
    const { link_id: linkId } = await expectStatus(
      201,
      app.exchange((await first.finish()).exchangeable_token),
    );
    const [savings] = await accountsOf(linkId);

    const { visit } = await relink(linkId);
    expect(await signIn(visit, 'user_good')).toMatchObject({
      step: {
        kind: 'select_accounts',
        can_go_back: false,
        accounts: [
          { name: 'Everyday Checking', selected: false, locked: false },
          { name: 'Rainy Day Savings', selected: true, locked: true },
          { name: 'Rewards Card', locked: false },
        ],
      },
    });
    expect((await visit.answer({ kind: 'select_accounts', refs: ['a3'] })).step.kind).toBe(
      'success',
    );
    const result = await visit.finish();
    expect(result.accounts.map(({ name }) => name)).toEqual(['Rainy Day Savings', 'Rewards Card']);
    await untilAnnounced(linkId, REPAIRED.slice(2));
    const accounts = await accountsOf(linkId);
    expect(accounts.map(({ name }) => name)).toEqual(['Rainy Day Savings', 'Rewards Card']);
    expect(accounts[0]?.account_id).toBe(savings?.account_id);
    expect(accounts[1]?.balances.current).not.toBeNull();
  });

  it('keeps accounts that the bank lists under other ids, by their numbers or by type, mask and currency', async () => {
    const prefetched = { account_numbers: { prefetch: true }, transactions: { prefetch: true } };
    const { linkId } = await linkCredentialsBank(app, 'user_good', {
      products_settings: prefetched,
    });
    await app.untilRefreshed(linkId, 'account_numbers');
    await app.untilRefreshed(linkId, 'transactions');
    const before = (await accountsOf(linkId)).map(({ account_id: id }) => id);
    const refreshedAt = async () =>
      (await app.link(linkId)).products['transactions']?.refreshed_at ?? null;
    const last = await refreshedAt();
    const { visit } = await relink(linkId);
    // Another user with the same account numbers: all ids differ, and the card has no number to
    // match. No new account is offered.
    expect((await signIn(visit, 'slow_1')).step.kind).toBe('success');
    const shared = (await visit.finish()).accounts.map(({ account_id: id }) => id);
    expect(shared).toEqual(before);
    await eventually(async () => expect(await refreshedAt()).not.toBe(last));
    expect((await accountsOf(linkId)).map(({ account_id: id }) => id)).toEqual(before);
  });
});

describe('An unsuccessful relink (link-lifecycle 15, check 8)', () => {
  it.each(
    representatives<[string, (visit: ConnectVisit) => Promise<unknown>]>(
      [
        ['abandoned at the password', () => Promise.resolve()],
        ['abandoned at a code', (visit) => signIn(visit, 'mfa_sms')],
        [
          'abandoned at the consent',
          async (visit) => expect((await signIn(visit, 'user_good')).step.kind).toBe('consent'),
        ],
        [
          'abandoned at the accounts',
          async (visit) => {
            await signIn(visit, 'user_custom');
            expect(
              (await visit.answer({ kind: 'consent', granted: ['accounts', 'identity'] })).step
                .kind,
            ).toBe('select_accounts');
          },
        ],
        [
          'that is refused',
          async (visit) =>
            expect(await signIn(visit, 'locked')).toMatchObject({
              step: {
                error_id: 'connect_error.account_locked',
                actions: ['open_institution', 'retry', 'exit'],
              },
            }),
        ],
        ['without an account', (visit) => signIn(visit, 'no_accounts')],
      ],
      ([how]) => ['abandoned at the accounts', 'that is refused'].includes(how),
    ),
  )('%s changes nothing', async (_, goOn) => {
    const { linkId } = await linkCredentialsBank(app, 'user_good', {
      webhook: receiver.url(),
      tags: ['tier:gold'],
    });
    await app.untilRefreshed(linkId, 'transactions');
    await reset(linkId);
    const before = await shown(linkId);
    const { visit } = await relink(linkId, {
      webhook: receiver.url('/other'),
      tags: ['tier:lead'],
      products_settings: { transactions: {}, identity: {} },
      // Of `user_custom`: an account that the link does not have.
      custom_sandbox_data: {
        accounts: [
          { account_type: 'depository.checking', name: 'Other', account_number: '100020009909' },
        ],
      },
    });
    await goOn(visit);
    expect((await visit.exit()).status).toBe(200);
    expect(await shown(linkId)).toEqual(before);
  });

  it('can be retried in the same session', async () => {
    const { linkId } = await linkCredentialsBank(app);
    await reset(linkId);
    const { visit, token } = await relink(linkId);
    await signIn(visit, 'error_provider_error');
    expect(visit.view).toMatchObject({
      step: { error_id: 'connect_error.provider_down', actions: ['retry', 'exit'] },
    });
    expect(await visit.answer({ kind: 'error', action: 'retry' })).toMatchObject({
      step: { kind: 'form', can_go_back: false },
    });
    await visit.exit();
    const back = await ConnectVisit.open(app.baseUrl, token);
    expect(await back.settle()).toMatchObject({
      mode: 'relink',
      institution: { name: 'Credentials Bank' },
      step: { kind: 'form' },
    });
    expect((await goThroughCredentialsBank(back, 'user_good')).step.kind).toBe('success');
    expect(await app.link(linkId)).toMatchObject({ state: 'connected' });
  });
});
