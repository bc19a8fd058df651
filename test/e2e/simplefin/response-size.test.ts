import { ShareAccounts } from '../../../apps/api/src/simplefin/share-accounts.js';
import type { ApiSettings } from '../../../apps/platform/src/config/settings.js';
import { readAccountRequest } from '../../../domain/simplefin/account-request.js';
import { MAX_SHARED, tooMuchShared } from '../../../domain/simplefin/response-bounds.js';
import { AccountRepository } from '../../../prisma/links/accounts/account.repository.js';
import { SimplefinHoldingRepository } from '../../../prisma/views/simplefin/simplefin-holding.repository.js';
import { SimplefinRowRepository } from '../../../prisma/views/simplefin/simplefin-row.repository.js';
import { UserDataRepository } from '../../../prisma/views/users/user-data.repository.js';
import { BANK, forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { connectedFinanceApp, epoch } from './support/finance-app.js';

const USER = 'ann';
const ROWS = 1_200;
const WINDOW = `start-date=${epoch('2026-01-01')}&end-date=${epoch('2026-04-01')}`;

apiOfFile();
beforeAll(async () => {
  for (const name of ['First', 'Second']) await importLink(name);
});

async function importLink(name: string): Promise<string> {
  const { body } = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER },
      institution_id: BANK,
      accounts: [
        {
          account_id: name,
          name,
          type: 'savings',
          balances: { currency: 'USD', current: '1', balance_date: '2026-03-02T10:15:30' },
        },
      ],
      transactions: Array.from({ length: ROWS }, (_, index) => ({
        account_id: name,
        amount: '-4.50',
        date: '2026-03-01',
        transaction_id: `row-${index}`,
        description: `Row ${index}`,
      })),
    },
  });
  const { link_id: linkId } = body as { link_id: string };
  await forceLink(service, linkId, { state: 'connected', errorCode: null });
  return linkId;
}

const access = {
  appId: 'pocket-ledger',
  environment: 'sandbox' as const,
  userId: USER,
  tokenId: 'sft_1',
};
const requested = (query: string) => {
  const request = readAccountRequest(new URLSearchParams(query));
  if (typeof request === 'string') throw new Error(`${request} is wrong`);
  return request;
};

describe('The response to a finance app', () => {
  it('begins before the second link is read, and holds a page of rows at a time', async () => {
    const { ctx, database } = service;
    const shared = new ShareAccounts(
      new UserDataRepository(ctx),
      new AccountRepository(ctx),
      new SimplefinRowRepository(ctx),
      new SimplefinHoldingRepository(ctx),
      { baseUrl: 'https://api.example' } as ApiSettings,
    );
    const sent = jest.spyOn(database.pool, 'query');
    const statements = () =>
      sent.mock.calls.map(([what]) => (what as unknown as { name?: string }).name);
    const count = (name: string) => statements().filter((each) => each === name).length;
    const fragments = shared.fragments(access, requested(WINDOW));
    let text = (await fragments.next()).value as string;
    expect({ text, accounts: count('find-accounts-page'), rows: count('simplefin-rows') }).toEqual({
      text: '{"accounts":[',
      accounts: 0,
      rows: 0,
    });
    // The start of an account, and its first page.
    for (let fragment = 0; fragment < 2; fragment += 1)
      text += (await fragments.next()).value as string;
    expect({ accounts: count('find-accounts-page'), rows: count('simplefin-rows') }).toEqual({
      accounts: 1,
      rows: 1,
    });
    for await (const fragment of fragments) text += fragment;
    const pages = await Promise.all(
      sent.mock.results
        .filter((_, index) => statements()[index] === 'simplefin-rows')
        .map(({ value }) => value as unknown as Promise<{ rows: unknown[] }>),
    );
    sent.mockRestore();
    expect(pages.map(({ rows }) => rows.length)).toEqual([500, 500, 200, 500, 500, 200]);
    const { accounts, errors } = JSON.parse(text) as {
      accounts: { name: string; transactions: { id: string }[] }[];
      errors: string[];
    };
    expect(accounts.map(({ name, transactions }) => [name, transactions.length])).toEqual([
      ['First', ROWS],
      ['Second', ROWS],
    ]);
    expect(new Set(accounts.flatMap((each) => each.transactions.map(({ id }) => id))).size).toBe(
      2 * ROWS,
    );
    expect(errors).toEqual([]);
  });

  it.each([
    [WINDOW, 2 * ROWS],
    [`start-date=${epoch('2026-03-02')}`, 0],
    [`end-date=${epoch('2026-03-02')}`, 2 * ROWS],
    [`end-date=${epoch('2026-08-01')}`, 0],
    [`${WINDOW}&balances-only=1`, 0],
    [`${WINDOW}&account=acc_unknown`, 0],
  ])('is measured before its first byte by what it would show: %s', async (query, rows) => {
    const counts = await new SimplefinRowRepository(service.ctx).count(
      access,
      requested(query),
      90,
    );
    const accounts = query.includes('account=') ? 0 : 2;
    expect(counts).toEqual({ links: 2, accounts, rows, holdings: 0 });
  });

  it('is refused in words that say how to ask for less when it would be too large', async () => {
    const most = { ...MAX_SHARED };
    expect(tooMuchShared(most)).toBeNull();
    expect(tooMuchShared({ ...most, rows: most.rows + 1 })).toBe(
      'These dates have more than 200,000 transactions: request fewer days, by start-date and end-date, or single accounts.',
    );
    expect(tooMuchShared({ ...most, accounts: most.accounts + 1 })).toBe(
      'This user has more than 5,000 accounts: request some of them, by the parameter account.',
    );
    expect(tooMuchShared({ ...most, holdings: most.holdings + 1 })).toBe(
      'This user has more than 100,000 holdings: request single accounts, by the parameter account.',
    );
    const app = await connectedFinanceApp(service, token, USER);
    expect((await app.send(`?${WINDOW}`)).status).toBe(200);
    await service.database.pool.query(
      `INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags, connected_at)
       SELECT link_id || n, app_id, environment, client_id, customer_user_pk, institution_id, provider, 'connected', tags, now()
         FROM (SELECT * FROM links ORDER BY pk LIMIT 1) AS link, generate_series(1, ${MAX_SHARED.links - 1}) AS n`,
    );
    expect(await app.send(`?${WINDOW}`)).toMatchObject({
      status: 400,
      text: 'This user has more than 1,000 connections, which is more than one response can show.',
    });
  });
});
