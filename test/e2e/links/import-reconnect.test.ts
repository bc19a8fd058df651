import { randomUUID } from 'node:crypto';
import { addDays } from '../../../domain/api/timestamps.js';
import { goThroughCredentialsBank } from '../../support/actors/credentials-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit, expectStatus, INSTANT_BANK } from '../../support/actors/link-journey.js';
import type {
  AccountBody,
  LinkBody,
  TransactionBody,
  TransactionsPage,
  View,
} from '../../support/actors/response-bodies.js';
import {
  goThroughOAuthBank,
  OAUTH_BANK,
  REDIRECT_URI,
} from '../../support/actors/oauth-journey.js';
import { app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { representatives } from '../../support/runner/representatives.js';

interface KnownRow extends TransactionBody {
  description: string | null;
  original_id: string | null;
}

interface KnownAccount extends AccountBody {
  original_id: string | null;
  closed: boolean;
}

serviceOfFile();

const BANKS: Record<
  string,
  {
    institutionId: string;
    fields?: Record<string, unknown>;
    signIn: (visit: ConnectVisit) => Promise<View>;
  }
> = {
  'Instant Bank': { institutionId: INSTANT_BANK, signIn: (visit) => Promise.resolve(visit.view) },
  'Credentials Bank': {
    institutionId: 'sandbox-credentials-bank',
    signIn: (visit) => goThroughCredentialsBank(visit, 'user_good'),
  },
  'OAuth Bank': {
    institutionId: OAUTH_BANK,
    fields: { redirect_uri: REDIRECT_URI },
    signIn: (visit) => goThroughOAuthBank(visit),
  },
};

const accountsOf = async (linkId: string) =>
  (await app.get<{ accounts: KnownAccount[] }>(`/links/${linkId}/accounts`)).accounts;
const rowsOf = async (linkId: string) =>
  (
    await app.get<Omit<TransactionsPage, 'transactions'> & { transactions: KnownRow[] }>(
      `/links/${linkId}/transactions?size=1000&start_date=1900-01-01`,
    )
  ).transactions;

/** Signs in at a bank in a session, and returns its last window. */
async function session(bank: string, fields: Record<string, unknown>): Promise<ConnectVisit> {
  const known = BANKS[bank];
  if (known === undefined) throw new Error(`unknown bank ${bank}`);
  const { link_session_token: token } = await expectStatus(
    201,
    app.call<{ link_session_token: string }>('POST', '/link-session', {
      body: { ...known.fields, ...fields },
    }),
  );
  const visit = await ConnectVisit.open(app.baseUrl, token);
  await visit.settle();
  expect((await known.signIn(visit)).step.kind).toBe('success');
  return visit;
}

/** The data that another service once read at the bank for this user. */
async function readElsewhere(
  bank: string,
  userId: string,
): Promise<{ accounts: KnownAccount[]; rows: KnownRow[] }> {
  const visit = await session(bank, {
    customer_user: { id: userId },
    institution_id: BANKS[bank]?.institutionId,
    products_settings: { transactions: { prefetch: true } },
  });
  const { link_id: linkId } = await expectStatus(
    201,
    app.exchange((await visit.finish()).exchangeable_token),
  );
  await app.untilRefreshed(linkId, 'transactions');
  const read = { accounts: await accountsOf(linkId), rows: await rowsOf(linkId) };
  await app.call('DELETE', `/links/${linkId}`);
  return read;
}

/**
 * The same data as the app stored it: with its own ids, some rows a day off, and different texts.
 */
function asImport({
  accounts,
  rows,
}: {
  accounts: readonly KnownAccount[];
  rows: readonly KnownRow[];
}) {
  const own = new Map(accounts.map(({ account_id: id }, place) => [id, `mine-${place}`]));
  return {
    accounts: accounts.map((account) => ({
      account_id: own.get(account.account_id),
      name: `Renamed ${account.name}`,
      type: account.account_type,
      balances: { currency: 'USD', current: 1 },
      mask: account.account_mask,
      nickname: 'Mine',
    })),
    transactions: rows.map((row, place) => ({
      account_id: own.get(row.account_id),
      transaction_id: `row-${place}`,
      amount: row.type === 'debit' ? -row.amount : row.amount,
      date: addDays(row.date.slice(0, 10), place % 3 === 0 ? -1 : 0),
      description: `${row.description?.toUpperCase() ?? ''} 4711`,
    })),
  };
}

const CHOSEN = representatives(Object.keys(BANKS), (bank) => bank === 'Credentials Bank');

describe.each(CHOSEN)('An imported link that is reconnected at %s', (bank) => {
  it('is readable before the login, and keeps its accounts and transactions without duplicates', async () => {
    const userId = `mover-${randomUUID()}`;
    const elsewhere = await readElsewhere(bank, userId);
    const { accounts, transactions } = asImport(elsewhere);
    const old = {
      account_id: 'mine-0',
      transaction_id: 'old',
      amount: '-12.34',
      date: addDays(elsewhere.rows.at(-1)?.date.slice(0, 10) ?? '', -300),
      description: 'Long ago',
    };
    const stray = {
      account_id: 'mine-0',
      transaction_id: 'stray',
      amount: '-98765.43',
      date: elsewhere.rows[20]?.date.slice(0, 10),
      description: 'Never at this bank',
    };
    const link = await expectStatus(
      200,
      app.call<LinkBody>('POST', '/links/import', {
        body: {
          customer_user: { id: userId },
          institution_id: BANKS[bank]?.institutionId,
          accounts,
          transactions: [...transactions, old, stray],
        },
      }),
    );
    const linkId = link.link_id;
    expect(link).toMatchObject({ state: 'error', error_code: 'auth_expired' });
    const before = { accounts: await accountsOf(linkId), rows: await rowsOf(linkId) };
    expect(before.rows).toHaveLength(elsewhere.rows.length + 2);
    const { cursor } = await app.walk(linkId);

    const visit = await session(bank, {
      customer_user: { id: userId },
      existing_link_id: linkId,
    });
    expect(await visit.finish()).not.toHaveProperty('exchangeable_token');
    await eventually(async () =>
      expect((await truth.story(linkId)).slice(-4)).toEqual([
        'state connected',
        'accounts completed',
        'transactions completed',
        'transactions.updates_available has_history=false',
      ]),
    );

    const after = { accounts: await accountsOf(linkId), rows: await rowsOf(linkId) };
    expect(after.accounts.map(({ account_id: id, original_id: own }) => [id, own])).toEqual(
      before.accounts.map(({ account_id: id, original_id: own }) => [id, own]),
    );
    expect(after.accounts.map(({ name }) => name)).toEqual(
      elsewhere.accounts.map(({ name }) => name),
    );
    expect(after.rows).toHaveLength(elsewhere.rows.length + 1);
    const ids = (rows: readonly KnownRow[]) =>
      rows.map(({ transaction_id: id, original_id: own }) => `${own} ${id}`).sort();
    expect(ids(after.rows)).toEqual(
      ids(before.rows.filter(({ original_id: own }) => own !== 'stray')),
    );
    for (const row of elsewhere.rows) {
      expect(
        after.rows.filter(
          ({ amount, date, description, type }) =>
            amount === row.amount &&
            date === row.date &&
            description === row.description &&
            type === row.type,
        ),
      ).not.toEqual([]);
    }

    const since = await app.walk(linkId, { cursor });
    const changes = since.pages.map((page) => page.transactions);
    expect(changes.flatMap(({ created }) => created)).toEqual([]);
    expect(changes.flatMap(({ removed }) => removed)).toEqual(
      before.rows
        .filter(({ original_id: own }) => own === 'stray')
        .map(({ transaction_id: id }) => id),
    );

    expect(
      await app.call('POST', `/links/${linkId}/import/transactions`, {
        body: { transactions: [old] },
      }),
    ).toMatchObject({
      status: 422,
      body: { error_code: 'link_error.bad_state', link_error_code: 'connected' },
    });
    await truth.requestFetch(linkId, 'transactions');
    const eventCount = (await truth.story(linkId)).length;
    await eventually(async () =>
      expect((await truth.story(linkId)).length).toBeGreaterThan(eventCount),
    );
    expect(ids(await rowsOf(linkId))).toEqual(ids(after.rows));
    const later = await app.walk(linkId, { cursor: since.cursor });
    expect(
      later.pages.flatMap((page) => [
        ...page.transactions.created,
        ...page.transactions.updated,
        ...page.transactions.removed,
      ]),
    ).toEqual([]);
  });
});
