import { randomUUID } from 'node:crypto';
import {
  normalizeAccountNumber,
  accountNumberOf,
  normalizeOwnerNames,
} from '../../domain/accounts/account-identifiers.js';
import { hasNumbers, presentNumbers } from '../../domain/accounts/account-numbers.js';
import { PHONE_TYPES } from '../../domain/accounts/account-owner.js';
import { ACCOUNT_TYPES } from '../../domain/accounts/account-types.js';
import { isTransactionCategory } from '../../domain/transactions/transaction-categories.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { PRODUCTS, type Product } from '../../domain/link/products.js';
import type {
  CatalogueInstitution,
  LoginContext,
  Provider,
  ProviderAccess,
  ProviderTransaction,
  TransactionWindow,
} from '../../providers/contract/provider.js';
import { accessWith, loginContext, PRESENT_USER } from '../support/fixtures/provider-calls.js';
import { doesNotApply } from './kept-promises.js';
import { IMPATIENT, PATIENT, type SuiteLimits } from './limits.js';
import { startMisbehavingServer, type Misbehavior } from './misbehaving-server.js';

import type { ConformanceLogin, ConformanceTarget } from './targets.js';

const DAY_MS = 86_400_000;
/** Counterparts that only a time limit ends. */
const NEVER_FINISH: readonly Misbehavior[] = ['silent', 'dripping'];
/** The places where the counterparts of the suite have institutions. */
export const CATALOGUE_COUNTRIES = ['US', 'CA', 'GB', 'DE', 'FR', 'FI', 'ES'];

/** The core's requirements of every provider, at one of its institutions. */
export function describeProvider(
  name: string,
  { remoteId, logIn, callsInProgress, cannotRevoke = false }: ConformanceLogin,
  target: () => ConformanceTarget,
): void {
  const neverAborted = new AbortController().signal;

  function context(
    attemptKey: string = randomUUID(),
    signal: AbortSignal = neverAborted,
  ): LoginContext {
    return loginContext({ remoteId, attemptKey, signal });
  }

  async function link(attemptKey?: string) {
    const outcome = await logIn(target().provider, context(attemptKey));
    if (outcome.kind !== 'linked')
      throw new Error(`expected a permission, got the step ${outcome.step.kind}`);
    // Sources count calls without a user, and the suite makes many.
    return { ...outcome, access: accessWith(outcome, remoteId, PRESENT_USER) };
  }

  async function readWindow(provider: Provider, access: ProviderAccess, window: TransactionWindow) {
    if (provider.fetchTransactions === undefined) throw new Error(`${name} has no transactions`);
    const rows: ProviderTransaction[] = [];
    for await (const page of provider.fetchTransactions(access, window))
      rows.push(...page.transactions);
    return rows;
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

  /** False for a product that this institution of the provider does not have. */
  function offers(product: Product): boolean {
    const listed = target()
      .provider.institutions()
      .find((institution) => institution.remoteId === remoteId);
    return listed?.products.includes(product) ?? true;
  }

  const daysAgo = (days: number): string =>
    new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  const lastDays = (days: number): TransactionWindow => ({
    from: daysAgo(days - 1),
    to: daysAgo(0),
  });

  /** The institutions known without I/O, and those of the source's list. */
  async function institutionLists(provider: Provider) {
    const listed: CatalogueInstitution[] = [];
    const request = { countries: CATALOGUE_COUNTRIES, signal: neverAborted };
    for await (const page of provider.listInstitutions?.(request) ?? []) listed.push(...page);
    return [provider.institutions(), listed];
  }

  it('declares only products it has a method for', async () => {
    const { provider } = target();
    const methods: Record<string, unknown> = {
      accounts: provider.fetchAccounts,
      account_numbers: provider.fetchAccountNumbers,
      identity: provider.fetchIdentity,
      transactions: provider.fetchTransactions,
    };
    for (const { products } of (await institutionLists(provider)).flat()) {
      for (const product of products)
        expect({ product, method: typeof methods[product] }).toEqual({
          product,
          method: 'function',
        });
    }
  });

  it('lists each of its institutions once', async () => {
    const { provider } = target();
    const lists = await institutionLists(provider);
    expect(lists.flat().map((institution) => institution.remoteId)).toContain(remoteId);
    for (const list of lists) {
      expect(new Set(list.map((institution) => institution.remoteId)).size).toBe(list.length);
      for (const { products } of list) expect(products).toContain('accounts');
    }
    const ours = provider.institutions().map(({ institutionId }) => institutionId);
    expect(new Set(ours).size).toBe(ours.length);
  });

  describe('login', () => {
    it('performs one login per attempt key, if it declares so', async () => {
      const { provider } = target();
      if (!provider.facts.idempotentLogin) return doesNotApply();
      const key = randomUUID();
      const outcomes = await Promise.all([1, 2, 3].map(() => provider.begin(context(key))));
      expect(new Set(outcomes.map(({ kind }) => kind)).size).toBe(1);
      if (outcomes[0]?.kind === 'step' && outcomes[0].step.kind === 'redirect') return;
      const { reference } = await link(key);
      const again = await provider.begin(context(key));
      expect(again).toMatchObject({ kind: 'linked', reference });
      for (const outcome of [...outcomes, again]) {
        if (outcome.kind !== 'linked') continue;
        expect(outcome.reference).toBe(reference);
        expect(
          (await provider.fetchAccounts(accessWith(outcome, remoteId))).accounts,
        ).not.toHaveLength(0);
      }
    });

    it('returns different permissions for different attempt keys', async () => {
      const [first, second] = await Promise.all([link(), link()]);
      expect(first.reference).not.toBe(second.reference);
    });

    it('returns the same account ids for the same person', async () => {
      const { provider } = target();
      const [first, second] = [await link(), await link()];
      const idsOf = async ({ access }: typeof first) =>
        (await provider.fetchAccounts(access)).accounts.map((account) => account.providerAccountId);
      expect(await idsOf(second)).toEqual(await idsOf(first));
    });

    it('refuses an institution that it does not have', async () => {
      const login = target().provider.begin({ ...context(), remoteId: 'no-such-institution' });
      await expect(login).rejects.toMatchObject({
        name: 'ProviderFailure',
        providerCause: 'not_supported',
      });
    });
  });

  describe('data', () => {
    let access: ProviderAccess;
    beforeAll(async () => {
      access = (await link()).access;
    });

    it('returns accounts with valid types, currencies and amounts, and the same ids every time', async () => {
      const { provider } = target();
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
      const { provider } = target();
      if (provider.fetchAccountNumbers === undefined || !offers('account_numbers'))
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
      const { provider } = target();
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
      const { provider } = target();
      expect(
        (await provider.fetchAccounts(access)).accounts
          .flatMap(({ identifiers: marks }) =>
            marks === undefined ? [] : [marks.number, ...marks.owners],
          )
          .filter((mark) => mark !== null),
      ).toEqual([]);
      const listed = offers('account_numbers') ? await provider.fetchAccountNumbers?.(access) : [];
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
      const { provider } = target();
      if (provider.fetchPermissionEnd === undefined) return doesNotApply();
      const end = await provider.fetchPermissionEnd(access);
      if (end !== null) expect(end.getTime()).toBeGreaterThan(Date.now());
      await provider.fetchAccounts(access);
      expect(await provider.fetchPermissionEnd(access)).toEqual(end);
    });

    it('returns the same rows for the same window', async () => {
      const { provider } = target();
      const window = { from: daysAgo(120), to: daysAgo(5) };
      const rows = await readWindow(provider, access, window);
      expect(rows).not.toHaveLength(0);
      expect(await readWindow(provider, access, window)).toEqual(rows);
    });

    it('returns each row of the history once, inside the window, in valid form', async () => {
      const { provider } = target();
      const window = lastDays(provider.facts.historyDays);
      const [rows, { accounts }] = await Promise.all([
        readWindow(provider, access, window),
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
      const { provider } = target();
      const part = { from: daysAgo(40), to: daysAgo(10) };
      const whole = await readWindow(provider, access, lastDays(90));
      const byId = (rows: ProviderTransaction[]) =>
        rows.toSorted((a, b) => a.providerTransactionId.localeCompare(b.providerTransactionId));
      expect(byId(await readWindow(provider, access, part))).toEqual(
        byId(whole.filter((row) => row.date >= part.from && row.date <= part.to)),
      );
    });

    it('covers no day outside the window, and none before its history', async () => {
      const { provider } = target();
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
      const refused = target().provider.fetchAccounts({ ...access, credential });
      await expect(refused).rejects.toMatchObject({ name: 'ProviderFailure' });
    });
  });

  describe('revocation', () => {
    it('succeeds twice, and makes data calls fail with consent_expired', async () => {
      const { provider } = target();
      if (provider.revoke === undefined || cannotRevoke) return doesNotApply();
      const { access } = await link();
      await provider.revoke(access);
      await provider.revoke(access);
      const over = { name: 'ProviderFailure', providerCause: 'consent_expired' };
      await expect(provider.fetchAccounts(access)).rejects.toMatchObject(over);
      await expect(readWindow(provider, access, lastDays(30))).rejects.toMatchObject(over);
      for (const fetch of [provider.fetchAccountNumbers, provider.fetchIdentity]) {
        if (fetch !== undefined) await expect(fetch(access)).rejects.toMatchObject(over);
      }
    });

    it('does not affect other permissions', async () => {
      const { provider } = target();
      if (provider.revoke === undefined || cannotRevoke) return doesNotApply();
      const [ended, other] = await Promise.all([link(), link()]);
      await provider.revoke(ended.access);
      expect((await provider.fetchAccounts(other.access)).accounts).not.toHaveLength(0);
    });
  });

  describe('faults', () => {
    /** Every call that reaches the source, made to the counterpart at an address. */
    async function operations(
      url: string,
      {
        signal = neverAborted,
        limits = PATIENT,
      }: { signal?: AbortSignal; limits?: SuiteLimits } = {},
    ): Promise<Record<string, () => Promise<unknown>>> {
      const provider = target().at(url, limits);
      const linked = (await link()).access;
      const credential = target().credentialAt?.(linked.credential, url) ?? linked.credential;
      const access = { ...linked, credential, signal };
      const window = lastDays(30);
      const { fetchAccountNumbers, fetchIdentity, fetchPermissionEnd, revoke } = provider;
      const inProgress = await callsInProgress(target().provider, context());
      return {
        ...Object.fromEntries(
          Object.entries(inProgress).map(([operation, run]) => [
            operation,
            () => run(provider, context(randomUUID(), signal)),
          ]),
        ),
        fetchAccounts: () => provider.fetchAccounts(access),
        fetchTransactions: () => readWindow(provider, access, window),
        ...(fetchAccountNumbers === undefined
          ? {}
          : { fetchAccountNumbers: () => fetchAccountNumbers(access) }),
        ...(fetchIdentity === undefined ? {} : { fetchIdentity: () => fetchIdentity(access) }),
        ...(fetchPermissionEnd === undefined
          ? {}
          : { fetchPermissionEnd: () => fetchPermissionEnd(access) }),
        ...(revoke === undefined || cannotRevoke ? {} : { revoke: () => revoke(access) }),
      };
    }

    async function expectEveryOperation(misbehavior: Misbehavior, cause: ProviderCause) {
      const { causes, causeAt } = target();
      const server = await startMisbehavingServer(misbehavior);
      try {
        const limits = NEVER_FINISH.includes(misbehavior) ? IMPATIENT : PATIENT;
        const running = Object.entries(await operations(server.url, { limits })).map(
          async ([operation, run]) => {
            const failure: unknown = await run().then(
              () => 'no failure',
              (error: unknown) => error,
            );
            const expected = causeAt?.(operation, misbehavior) ?? causes?.[misbehavior] ?? cause;
            expect({ operation, failure }).toMatchObject({
              operation,
              failure:
                expected === 'no failure'
                  ? expected
                  : { name: 'ProviderFailure', providerCause: expected },
            });
          },
        );
        await Promise.all(running);
      } finally {
        await server.close();
      }
    }

    it('reports that the other side is down when the connection is refused', () =>
      expectEveryOperation('refuse', 'institution_down'));
    it('reports that the other side is down when the connection breaks', () =>
      expectEveryOperation('reset', 'institution_down'));
    it('reports that the other side is down for a server error', () =>
      expectEveryOperation('status 500', 'institution_down'));
    it('reports a page where data was expected as malformed, or as a failure of a shield in front of the source', () =>
      expectEveryOperation('html', 'malformed'));
    it('reports malformed for JSON of another shape', () =>
      expectEveryOperation('other json', 'malformed'));
    it('reports malformed for a response that is not HTTP', () =>
      expectEveryOperation('not http', 'malformed'));
    it('reports institution_timeout when no response arrives', () =>
      expectEveryOperation('silent', 'institution_timeout'));
    it('reports institution_timeout when a response never ends', () =>
      expectEveryOperation('dripping', 'institution_timeout'));
    it('reports rate_limited and the time to wait', async () => {
      await expectEveryOperation('status 429', 'rate_limited');
      const server = await startMisbehavingServer('status 429');
      const refused = (await operations(server.url))['fetchAccounts']?.();
      await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 7 });
      await server.close();
    });

    it('stops reading a response that does not end', async () => {
      const server = await startMisbehavingServer('endless');
      const calls = await operations(server.url);
      const fetches = Object.keys(calls).filter((name) => name.startsWith('fetch'));
      for (const name of fetches)
        await expect(calls[name]?.()).rejects.toMatchObject({
          name: 'ProviderFailure',
          providerCause: 'malformed',
        });
      expect(server.bytesSent()).toBeLessThan(fetches.length * 16 * 1024 * 1024);
      await server.close();
    });

    it('ends promptly, with the reason of the signal, when it is aborted', async () => {
      const server = await startMisbehavingServer('silent');
      for (const operation of Object.keys(await operations(server.url))) {
        const controller = new AbortController();
        const reason = new Error('no longer wanted');
        const run = (await operations(server.url, { signal: controller.signal }))[operation];
        if (run === undefined) throw new Error(`${operation} is gone`);
        const arrived = server.nextRequest();
        const ended = run().then(
          () => 'no failure',
          (error: unknown) => error,
        );
        await arrived;
        const abortedAt = performance.now();
        controller.abort(reason);
        expect(await ended).toBe(reason);
        expect(performance.now() - abortedAt).toBeLessThan(PATIENT.silenceTimeoutMs);
        await expect(run()).rejects.toBe(reason);
      }
      await server.close();
    });
  });
}
