import { addDays } from '../../../domain/api/timestamps.js';
import { errorOf } from '../../support/services/api-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import type { TransactionsPage } from '../../support/actors/response-bodies.js';
import { app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

serviceOfFile();

const rowsOf = (linkId: string) =>
  app.get<TransactionsPage>(`/links/${linkId}/transactions?size=1000&start_date=1900-01-01`);

describe('POST /sandbox/links/{id}/transactions', () => {
  it('creates transactions that are readable at once, under one id from pending to posted', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'scripted' } });
    const first = await sandbox.script(linkId, [
      { verb: 'authorize', ref: 'coffee', amount: 4.5, description: 'Corner Cafe' },
    ]);
    expect(first).toEqual({
      link_id: linkId,
      applied: 1,
      refreshed: true,
      rows: [{ ref: 'coffee', transaction_id: expect.stringMatching(/^txn_/), status: 'pending' }],
    });
    const { pages, cursor } = await app.walk(linkId, { size: 500 });
    expect(pages.flatMap(({ transactions }) => transactions.created)).toContainEqual(
      expect.objectContaining({
        transaction_id: first.rows[0]?.transaction_id,
        amount: 4.5,
        pending: true,
      }),
    );

    const second = await sandbox.script(linkId, [
      { verb: 'post', ref: 'coffee', amount: 5.25 },
      { verb: 'reverse', ref: 'coffee' },
    ]);
    expect(second.rows).toEqual([
      { ...first.rows[0], status: 'posted' },
      { ref: 'coffee.reversal', transaction_id: expect.stringMatching(/^txn_/), status: 'posted' },
    ]);
    const [page] = (await app.walk(linkId, { cursor, size: 500 })).pages;
    expect(page).toMatchObject({
      transactions: {
        created: [{ transaction_id: second.rows[1]?.transaction_id, type: 'credit', amount: 5.25 }],
        updated: [{ transaction_id: first.rows[0]?.transaction_id, amount: 5.25, pending: false }],
        removed: [],
      },
    });

    const gone = await sandbox.script(linkId, [{ verb: 'drop', ref: 'coffee' }]);
    expect(gone.rows).toEqual([{ ...first.rows[0], status: 'gone' }]);
    expect((await rowsOf(linkId)).transactions.map(({ transaction_id: id }) => id)).not.toContain(
      first.rows[0]?.transaction_id,
    );
  });

  it('sets the details of transactions, and replaces or removes them one by one', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'detailed' } });
    const { rows: scripted } = await sandbox.script(linkId, [
      {
        verb: 'post',
        ref: 'rent',
        amount: 900,
        counterparty: {
          name: 'Robin Vale',
          kind: 'person',
          numbers: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
        },
        merchant: { name: 'Quarry Lets', mcc: '6513' },
        remittance: 'Rent March',
        references: { end_to_end: 'E2E-1', mandate: 'M-1', creditor: 'RF18', check_number: '7' },
        original: { amount: 800, currency: 'EUR', rate: 1.125 },
        transacted_at: '2026-03-01T08:12:00',
        bank_transaction_code: 'PMNT-ICDT-ESCT',
      },
    ]);
    const id = scripted[0]?.transaction_id;
    const row = async () =>
      (await rowsOf(linkId)).transactions.find((found) => found.transaction_id === id);
    const details = {
      counterparty: { name: 'Robin Vale', account_mask: '3000', kind: 'person' },
      merchant: { name: 'Quarry Lets', mcc: '6513' },
      remittance: 'Rent March',
      references: { end_to_end: 'E2E-1', mandate: 'M-1', creditor: 'RF18', check_number: '7' },
      original: { amount: 800, currency: 'EUR', rate: 1.125 },
      transacted_at: '2026-03-01T08:12:00.000',
    };
    expect(await row()).toMatchObject(details);
    expect(await app.get(`/links/${linkId}/transactions/${id}/numbers`)).toMatchObject({
      counterparty: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    });

    await sandbox.script(linkId, [
      { verb: 'amend', ref: 'rent', counterparty: { name: 'R. Vale' }, original: null },
    ]);
    expect(await row()).toMatchObject({
      ...details,
      counterparty: { name: 'R. Vale', account_mask: null, kind: null },
      original: null,
    });
  });

  it('refuses malformed details of transactions where they are', async () => {
    const script = [
      {
        verb: 'authorize',
        ref: 'a',
        amount: 1,
        merchant: { mcc: '12' },
        counterparty: { kind: 'robot', numbers: { iban: '' } },
        original: { amount: -1, currency: 'euro' },
        references: { mandate: 'x'.repeat(201) },
        transacted_at: 'noon',
      },
    ];
    const at = 'body.script.0';
    const path = '/sandbox/links/mk_any/transactions';
    const refused = errorOf(await sandbox.send('POST', path, { script }));
    expect(refused).toMatchObject({ status: 422, code: 'api_error.request.validation_failed' });
    expect(refused.locations.sort()).toEqual([
      `${at}.counterparty.kind`,
      `${at}.counterparty.numbers.iban`,
      `${at}.merchant.mcc`,
      `${at}.original.amount`,
      `${at}.original.currency`,
      `${at}.references.mandate`,
      `${at}.transacted_at`,
    ]);
  });

  it('changes transactions in place, backdates them, and adjusts the balances', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'amended' } });
    const balances = async () =>
      (
        await app.get<{ accounts: { balances: { available: number; current: number } }[] }>(
          `/links/${linkId}/accounts`,
        )
      ).accounts[0]?.balances;
    const today = new Date().toISOString().slice(0, 10);
    const dayOf = (daysAgo: number) => addDays(today, -daysAgo);
    const scripted = await sandbox.script(linkId, [
      { verb: 'authorize', ref: 'hold', amount: 10, date: dayOf(3) },
      { verb: 'post', ref: 'born', amount: 5, type: 'credit', date: dayOf(3) },
      { verb: 'backdate', ref: 'late', amount: 7, date: dayOf(40) },
    ]);
    await sandbox.script(linkId, [
      {
        verb: 'amend',
        ref: 'hold',
        amount: 12,
        description: 'Corrected',
        raw_description: 'CORRECTED 1',
        category: 'food_and_drink.restaurants',
        date: dayOf(4),
      },
      { verb: 'backdate', ref: 'born', date: dayOf(20) },
    ]);
    const { transactions } = await rowsOf(linkId);
    const shown = scripted.rows.map(({ transaction_id: id }) =>
      transactions.find((row) => row.transaction_id === id),
    );
    expect(shown).toMatchObject([
      {
        amount: 12,
        description: 'Corrected',
        raw_description: 'CORRECTED 1',
        category: 'food_and_drink.restaurants',
        date: `${dayOf(4)}T00:00:00`,
        pending: true,
        type: 'debit',
      },
      { amount: 5, type: 'credit', date: `${dayOf(20)}T00:00:00`, pending: false },
      { amount: 7, date: `${dayOf(40)}T00:00:00`, pending: false },
    ]);
    await app.call('POST', `/links/${linkId}/products`, { body: { products: ['accounts'] } });
    // A pending row changes the available balance, a row created as posted changes both.
    await eventually(async () =>
      expect(await balances()).toMatchObject({ available: 2196.52, current: 2348 }),
    );
  });

  it('fetches nothing on request, and then returns no ids', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'unfetched' } });
    expect(
      await sandbox.script(linkId, [{ verb: 'post', ref: 'later', amount: 2 }], { refresh: false }),
    ).toMatchObject({ refreshed: false, rows: [{ transaction_id: null, status: 'posted' }] });
    expect((await rowsOf(linkId)).total).toBe(60);
  });

  it('writes to the named account, and writes nothing when the script is impossible', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'named' } });
    const { accounts } = await app.get<{
      accounts: { account_id: string; account_type: string }[];
    }>(`/links/${linkId}/accounts`);
    const savings =
      accounts.find(({ account_type: type }) => type === 'depository.savings')?.account_id ?? '';
    const { rows } = await sandbox.script(linkId, [
      { verb: 'post', ref: 'saved', amount: 9, account_id: savings, type: 'credit' },
    ]);
    expect(
      (await rowsOf(linkId)).transactions.find(
        ({ transaction_id: id }) => id === rows[0]?.transaction_id,
      ),
    ).toMatchObject({ account_id: savings });

    const failed = await sandbox.send('POST', `/sandbox/links/${linkId}/transactions`, {
      script: [
        { verb: 'post', ref: 'new', amount: 1 },
        { verb: 'drop', ref: 'never' },
      ],
    });
    expect({ error: errorOf(failed), text: failed.text }).toEqual({
      error: { status: 422, code: 'sandbox_error.script_failed', locations: [] },
      text: expect.stringContaining('Step 1 '),
    });
    expect(
      await sandbox.script(linkId, [{ verb: 'authorize', ref: 'new', amount: 1 }]),
    ).toMatchObject({ applied: 1 });
  });

  it.each<[string, unknown, string]>([
    ['an unknown verb', [{ verb: 'burn', ref: 'a' }], 'body.script.0.verb'],
    ['an empty script', [], 'body.script'],
    [
      'more than 100 verbs',
      Array.from({ length: 101 }, (_, index) => ({ verb: 'post', ref: `r${index}`, amount: 1 })),
      'body.script',
    ],
    ['an amount of 0', [{ verb: 'authorize', ref: 'a', amount: 0 }], 'body.script.0.amount'],
    ['a ref of 65 characters', [{ verb: 'drop', ref: 'x'.repeat(65) }], 'body.script.0.ref'],
    ['backdate without a date', [{ verb: 'backdate', ref: 'a' }], 'body.script.0.date'],
  ])('refuses %s', async (_what, script, location) => {
    expect(
      errorOf(await sandbox.send('POST', '/sandbox/links/mk_any/transactions', { script })),
    ).toEqual({ status: 422, code: 'api_error.request.validation_failed', locations: [location] });
  });
});
