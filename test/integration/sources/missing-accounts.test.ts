import { Decimal } from 'decimal.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type { Product } from '../../../domain/link/products.js';
import { AccountRepository } from '../../../prisma/links/accounts/account.repository.js';
import type { ProviderFacts } from '../../../providers/contract/provider.js';
import { refreshesAt, storePermittedLink } from '../../support/fixtures/fetching-link.js';
import { faultOf, numbersOf, scriptedSource, type ScriptedAnswer } from './scripted-source.js';
import {
  account,
  currentRows,
  openStorage,
  row,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const DAY_MS = 86_400_000;
let storage: Storage;
let answer: ScriptedAnswer;
let now = new Date('2026-03-02T10:00:00Z');
beforeAll(async () => {
  storage = await openStorage(() => now);
});
afterAll(() => storage.close());

const later = (days: number): void => {
  now = new Date(now.getTime() + days * DAY_MS);
};
const day = () => addDays(utcDay(now), -5);
const whole = (): ScriptedAnswer => ({
  accounts: [account('checking'), account('card')],
  unreported: [],
  numbers: [numbersOf('checking'), numbersOf('card')],
  owners: [],
  rows: [
    row('checking 1', { date: day() }),
    row('card 1', { providerAccountId: 'card', amount: new Decimal(3), date: day() }),
  ],
  faults: [],
});
const withoutCard = (): ScriptedAnswer => ({
  ...whole(),
  accounts: [account('checking')],
  numbers: [numbersOf('checking')],
  rows: whole().rows.slice(0, 1),
});

const at = (absence: ProviderFacts['absence']) => ({
  async fetch(link: StoredLink, ...products: Product[]) {
    const { fetch } = refreshesAt(
      storage,
      scriptedSource(() => answer, { absence }),
    );
    const results = [];
    for (const product of products) results.push(await fetch(link, product));
    return results;
  },
});
async function cardOf({ linkId, accounts }: StoredLink) {
  const id = accounts.get('card') ?? '';
  const found = await new AccountRepository(storage.ctx).find(TENANT, linkId, id);
  return { closed: found?.closed, missingSince: found?.missingSince };
}

describe('An account that a complete list leaves out', () => {
  it('is closed at once at a source whose lists are exact', async () => {
    const link = await storePermittedLink(storage);
    answer = withoutCard();
    await at('closed').fetch(link, 'accounts');
    expect(await cardOf(link)).toEqual({ closed: true, missingSince: now });
  });

  it('stays open for a week elsewhere, with the time since when it is missing, and is closed then', async () => {
    const link = await storePermittedLink(storage);
    const { fetch } = at('unknown');
    answer = withoutCard();
    const since = now;
    await fetch(link, 'accounts');
    later(3);
    expect(await fetch(link, 'accounts')).toMatchObject([{ updated: 0 }]);
    expect(await cardOf(link)).toEqual({ closed: false, missingSince: since });
    later(4);
    await fetch(link, 'accounts');
    expect(await cardOf(link)).toEqual({ closed: true, missingSince: since });
    expect(await fetch(link, 'accounts')).toMatchObject([{ updated: 0 }]);
  });

  it('is open again as soon as it is listed, and its week starts again', async () => {
    const link = await storePermittedLink(storage);
    const { fetch } = at('unknown');
    answer = withoutCard();
    await fetch(link, 'accounts');
    later(6);
    answer = whole();
    await fetch(link, 'accounts');
    expect(await cardOf(link)).toEqual({ closed: false, missingSince: null });
    later(6);
    answer = withoutCard();
    await fetch(link, 'accounts');
    expect((await cardOf(link)).closed).toBe(false);
  });

  it('is not missing if the response is incomplete', async () => {
    const link = await storePermittedLink(storage);
    const { fetch } = at('unknown');
    answer = { ...withoutCard(), faults: [faultOf('account', null)] };
    await fetch(link, 'accounts');
    expect(await cardOf(link)).toEqual({ closed: false, missingSince: null });
  });

  it('keeps its rows and numbers, which the same absence leaves out, and they continue when it returns', async () => {
    const link = await storePermittedLink(storage, {
      products: ['accounts', 'account_numbers', 'transactions'],
    });
    const { fetch } = at('unknown');
    answer = whole();
    await fetch(link, 'accounts', 'account_numbers', 'transactions');
    const before = await currentRows(storage, link);
    answer = withoutCard();
    await fetch(link, 'accounts', 'account_numbers', 'transactions');
    answer = whole();
    expect(await fetch(link, 'accounts', 'account_numbers', 'transactions')).toMatchObject([
      { updated: 1 },
      { updated: 0 },
      { created: 0, updated: 0 },
    ]);
    expect(await currentRows(storage, link)).toEqual(before);
  });
});
