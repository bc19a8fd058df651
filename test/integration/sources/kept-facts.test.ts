import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Provider } from '../../../providers/contract/provider.js';
import { SEED } from '../../support/runner/seed.js';
import {
  refreshesAt,
  storePermittedLink,
  testProvider,
} from '../../support/fixtures/fetching-link.js';
import {
  account,
  storage,
  storageOfFile,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { ADAPTERS, inOtherCurrency, type ShownAccount } from './answering-adapters.js';

storageOfFile();

const CARD: ShownAccount = {
  id: 'card',
  kind: 'card',
  isTyped: true,
  current: 240.1,
  available: null,
  limit: null,
};

/** A link whose card was listed for the first time. */
async function linkWithCard(): Promise<StoredLink> {
  const link = await storePermittedLink(storage);
  await storage.ctx.database.prisma.account.updateMany({
    where: { linkPk: link.pk },
    data: {
      accountType: 'unknown',
      current: null,
      available: null,
      limit: null,
      balanceDate: null,
    },
  });
  return link;
}

const stored = async (link: StoredLink, providerAccountId = 'card') => {
  const { prisma } = storage.ctx.database;
  const where = { linkPk: link.pk, providerAccountId };
  const row = await prisma.account.findFirstOrThrow({ where });
  const { accountType, current, available } = row;
  return [accountType, current?.toNumber() ?? null, available?.toNumber() ?? null];
};

const refresh = (link: StoredLink, fetchAccounts: Provider['fetchAccounts']) =>
  refreshesAt(storage, testProvider({ fetchAccounts })).fetch(link, 'accounts');

describe.each(ADAPTERS)('An account that $name lists', ({ accounts, hasLimits }) => {
  let shown: ShownAccount;
  const read = accounts(() => shown);
  const after = async (link: StoredLink, next: Partial<ShownAccount>) => {
    shown = { ...shown, ...next };
    await refresh(link, read);
    return stored(link);
  };
  beforeEach(() => {
    shown = CARD;
  });

  it('keeps its type and the sign of its debt while its type is not shown', async () => {
    const link = await linkWithCard();
    expect(await after(link, {})).toEqual(['liability.credit_card', 240.1, null]);
    expect(await after(link, { isTyped: false, current: 250 })).toEqual([
      'liability.credit_card',
      250,
      null,
    ]);
  });

  it('keeps its balances while the source shows none, and takes the next ones', async () => {
    const link = await linkWithCard();
    await after(link, { available: 700 });
    const kept = ['liability.credit_card', 240.1, 700];
    expect(await after(link, { current: null, available: null })).toEqual(kept);
    expect(await after(link, { current: 0, available: 940 })).toEqual([
      'liability.credit_card',
      0,
      940,
    ]);
  });

  it('that holds money and shows only what is available holds that', async () => {
    const link = await linkWithCard();
    const checking = { kind: 'checking', current: null, available: 75.23 } as const;
    expect(await after(link, checking)).toEqual(['depository.checking', 75.23, 75.23]);
  });

  it('that is a debt and shows only what is available owes the rest of its limit, if it has one', async () => {
    const link = await linkWithCard();
    const owed = hasLimits ? 300 : null;
    expect(await after(link, { current: null, available: 700, limit: 1_000 })).toEqual([
      'liability.credit_card',
      owed,
      700,
    ]);
    const other = await linkWithCard();
    expect(await after(other, { limit: null })).toEqual(['liability.credit_card', null, 700]);
  });

  it('has one type, and a positive debt, in any sequence of answers', async () => {
    const amount = fc.option(fc.integer({ min: 1, max: 900 }), { freq: 3 });
    const answer = fc.record({ isTyped: fc.boolean(), current: amount, available: amount });
    const answers = fc.array(answer, { minLength: 1, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(answers, async (sequence) => {
        const link = await linkWithCard();
        const [type, ...first] = await after(link, CARD);
        let [current, available] = first;
        for (const next of sequence) {
          // The balances of an answer without a current one are all those of before.
          if (next.current !== null) [current, available] = [next.current, next.available];
          expect(await after(link, next)).toEqual([type, current, available]);
        }
      }),
      { numRuns: process.env['LONG_RUNS'] ? 30 : 1, seed: SEED },
    );
  });
});

it('An account whose only balances at Enable Banking are in another currency keeps its own', async () => {
  const link = await linkWithCard();
  const [, enableBanking] = ADAPTERS;
  await refresh(
    link,
    enableBanking.accounts(() => CARD),
  );
  await refresh(
    link,
    inOtherCurrency(() => ({ ...CARD, current: 9 })),
  );
  expect(await stored(link)).toEqual(['liability.credit_card', 240.1, null]);
});

it('A debt that returns under another id and without a type keeps its type and its balances', async () => {
  const link = await linkWithCard();
  const [simplefin] = ADAPTERS;
  await refresh(
    link,
    simplefin.accounts(() => CARD),
  );
  await storage.ctx.database.prisma.account.updateMany({
    where: { linkPk: link.pk, providerAccountId: 'card' },
    data: { mask: '4242', name: 'Travel Card' },
  });
  const listed = account('new', {
    accountType: 'unknown',
    name: 'Travel',
    mask: '4242',
    current: new Decimal(-250),
  });
  await refresh(link, () => Promise.resolve({ accounts: [listed], unreported: [] }));
  expect(await stored(link, 'new')).toEqual(['liability.credit_card', 240.1, null]);
});

it('An account whose number is left out keeps its last digits', async () => {
  const link = await linkWithCard();
  const listed = account('card', { mask: null });
  await refresh(link, () => Promise.resolve({ accounts: [listed], unreported: [] }));
  const { prisma } = storage.ctx.database;
  const where = { linkPk: link.pk, providerAccountId: 'card' };
  expect((await prisma.account.findFirstOrThrow({ where })).mask).toBe('1101');
});
