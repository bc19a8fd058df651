import {
  normalizeAccountNumber,
  accountNumberOf,
  normalizeOwnerNames,
} from '../../../domain/accounts/account-identifiers.js';
import { hasNumbers, presentNumbers } from '../../../domain/accounts/account-numbers.js';
import { PHONE_TYPES } from '../../../domain/accounts/account-owner.js';
import { ACCOUNT_TYPES } from '../../../domain/accounts/account-types.js';
import { PRODUCTS } from '../../../domain/link/products.js';
import { isTransactionCategory } from '../../../domain/transactions/transaction-categories.js';
import type { ProviderAccess, ProviderTransaction } from '../../../providers/contract/provider.js';
import { doesNotApply } from '../kept-promises.js';
import { daysAgo, lastDays, type PromiseCalls } from './promise-calls.js';

/** The data of one permission: complete, in valid form, and the same with every call. */
export function describeData(calls: PromiseCalls): void {
  describe('data', () => {
    let access: ProviderAccess;
    beforeAll(async () => {
      access = (await calls.link()).access;
    });

    it('returns accounts with valid types, currencies and amounts, and the same ids every time', async () => {
      const { provider } = calls.target();
      const accounts = (await provider.fetchAccounts(access)).accounts;
      expect(accounts).not.toHaveLength(0);
      for (const account of accounts) {
        expect(ACCOUNT_TYPES).toContain(account.accountType);
        expect(account.currency).toMatch(/^[A-Z]{3}$/);
        for (const money of [account.available, account.current, account.limit])
          expect(money?.isFinite() ?? true).toBe(true);
      }
      const ids = accounts.map((account) => account.providerAccountId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        (await provider.fetchAccounts(access)).accounts.map((account) => account.providerAccountId),
      ).toEqual(ids);
    });

    it('returns complete numbers of listed accounts, each account once', async () => {
      const { provider } = calls.target();
      if (provider.fetchAccountNumbers === undefined || !calls.offers('account_numbers'))
        return doesNotApply();
      const [numbers, { accounts }] = await Promise.all([
        provider.fetchAccountNumbers(access),
        provider.fetchAccounts(access),
      ]);
      expect(numbers.some((account) => hasNumbers(account.numbers))).toBe(true);
      expectAccountsOnce(numbers, accounts);
      for (const {
        numbers: { ach, eft, bacs, international },
      } of numbers) {
        for (const number of [...ach, ...eft, ...bacs, ...international]) {
          for (const [part, text] of Object.entries(number))
            expect({
              part,
              said: text === null ? part === 'wireRoutingNumber' : text !== '',
            }).toEqual({ part, said: true });
        }
      }
      expect(await provider.fetchAccountNumbers(access)).toEqual(numbers);
    });

    it('returns valid owners of listed accounts, each account once', async () => {
      const { provider } = calls.target();
      if (provider.fetchIdentity === undefined) return doesNotApply();
      const [owned, { accounts }] = await Promise.all([
        provider.fetchIdentity(access),
        provider.fetchAccounts(access),
      ]);
      expect(owned.some(({ owners }) => owners.length > 0)).toBe(true);
      expectAccountsOnce(owned, accounts);
      for (const { names, phoneNumbers, emails } of owned.flatMap(({ owners }) => owners)) {
        for (const text of [
          ...names,
          ...phoneNumbers.map(({ number }) => number),
          ...emails.map(({ address }) => address),
        ])
          expect(text).not.toBe('');
        for (const { type } of phoneNumbers) expect(PHONE_TYPES).toContain(type);
      }
      expect(await provider.fetchIdentity(access)).toEqual(owned);
    });

    it('identifies accounts by their own numbers and owners, and by none where they were not granted', async () => {
      const { provider } = calls.target();
      expect(
        (await provider.fetchAccounts(access)).accounts
          .flatMap(({ identifiers: marks }) =>
            marks === undefined ? [] : [marks.number, ...marks.owners],
          )
          .filter((mark) => mark !== null),
      ).toEqual([]);
      const listed = calls.offers('account_numbers')
        ? await provider.fetchAccountNumbers?.(access)
        : [];
      const numbers = new Map(
        listed?.map((account) => [
          account.providerAccountId,
          accountNumberOf(presentNumbers(account.numbers)),
        ]),
      );
      const owners = new Map(
        (await provider.fetchIdentity?.(access))?.map((account) => [
          account.providerAccountId,
          normalizeOwnerNames(account.owners.flatMap(({ names }) => names)),
        ]),
      );
      for (const { providerAccountId, identifiers: marks = { number: null, owners: [] } } of (
        await provider.fetchAccounts({ ...access, products: PRODUCTS })
      ).accounts) {
        if (marks.number !== null)
          expect(normalizeAccountNumber(marks.number)).toBe(
            normalizeAccountNumber(numbers.get(providerAccountId) ?? null),
          );
        if (marks.owners.length > 0)
          expect(normalizeOwnerNames(marks.owners)).toBe(owners.get(providerAccountId));
      }
    });

    it('reports at most one future end of a permission that is not renewed', async () => {
      const { provider } = calls.target();
      if (provider.fetchPermissionEnd === undefined) return doesNotApply();
      const end = await provider.fetchPermissionEnd(access);
      if (end !== null) expect(end.getTime()).toBeGreaterThan(Date.now());
      await provider.fetchAccounts(access);
      expect(await provider.fetchPermissionEnd(access)).toEqual(end);
    });

    it('returns the same rows for the same window', async () => {
      const { provider } = calls.target();
      const window = { from: daysAgo(120), to: daysAgo(5) };
      const rows = await calls.readWindow(provider, access, window);
      expect(rows).not.toHaveLength(0);
      expect(await calls.readWindow(provider, access, window)).toEqual(rows);
    });

    it('returns each row of the history once, inside the window, in valid form', async () => {
      const { provider } = calls.target();
      const window = lastDays(provider.facts.historyDays);
      const [rows, { accounts }] = await Promise.all([
        calls.readWindow(provider, access, window),
        provider.fetchAccounts(access),
      ]);
      const accountIds = new Set(accounts.map((account) => account.providerAccountId));
      expect(new Set(rows.map((row) => row.providerTransactionId)).size).toBe(rows.length);
      for (const row of rows) {
        expect(row.date >= window.from && row.date <= window.to).toBe(true);
        expect(row.datetime?.startsWith(row.date) ?? true).toBe(true);
        expect(row.amount.isFinite() && !row.amount.isNegative()).toBe(true);
        expect(['debit', 'credit']).toContain(row.type);
        expect(row.category === null || isTransactionCategory(row.category)).toBe(true);
        expect(accountIds).toContain(row.providerAccountId);
      }
    });

    it('returns the same rows for part of a window as for the whole', async () => {
      const { provider } = calls.target();
      const part = { from: daysAgo(40), to: daysAgo(10) };
      const whole = await calls.readWindow(provider, access, lastDays(90));
      const byId = (rows: ProviderTransaction[]) =>
        rows.toSorted((a, b) => a.providerTransactionId.localeCompare(b.providerTransactionId));
      expect(byId(await calls.readWindow(provider, access, part))).toEqual(
        byId(whole.filter((row) => row.date >= part.from && row.date <= part.to)),
      );
    });

    it('covers no day outside the window, and none before its history', async () => {
      const { provider } = calls.target();
      const window = { from: '1990-01-01', to: daysAgo(0) };
      for await (const page of provider.fetchTransactions?.(access, window) ?? []) {
        if (page.covered === undefined || page.covered === null) continue;
        // One day of grace: midnight may pass between the two readings of the clock.
        expect(page.covered.from >= daysAgo(provider.facts.historyDays)).toBe(true);
        expect(page.covered.to <= window.to).toBe(true);
      }
    });

    it('refuses a credential that it did not create', async () => {
      const credential = new TextEncoder().encode('{"connection_id":');
      const refused = calls.target().provider.fetchAccounts({ ...access, credential });
      await expect(refused).rejects.toMatchObject({ name: 'ProviderFailure' });
    });
  });
}

function expectAccountsOnce(
  brought: readonly { providerAccountId: string }[],
  accounts: readonly { providerAccountId: string }[],
): void {
  const ids = brought.map(({ providerAccountId }) => providerAccountId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(
    expect.arrayContaining(ids),
  );
}
