import { Decimal } from 'decimal.js';
import { renderLiability } from '../../../domain/liabilities/present-liability.js';
import type { FetchedLiability } from '../../../domain/liabilities/liability.js';
import { LiabilityRateRepository } from '../../../prisma/links/liabilities/liability-rate.repository.js';
import { debt } from '../../support/fixtures/sent-debt.js';
import { storage, storageOfFile, storeLink } from '../../support/fixtures/stored-link.js';

storageOfFile();

const card = (...percentages: readonly string[]): Partial<FetchedLiability> => ({
  kind: 'credit',
  rates: percentages.map((percentage) => ({
    kind: 'purchase',
    percentage: new Decimal(percentage),
    balance: null,
    interestCharged: null,
  })),
});
const loan = (percentage: string): Partial<FetchedLiability> => ({
  interestRate: { percentage: new Decimal(percentage), type: null },
});

/** The institutions of a configuration with links that have these debts. */
async function found(
  provider: string,
  ...debts: readonly Partial<FetchedLiability>[]
): Promise<string[]> {
  const { prisma } = storage.ctx.database;
  for (const fields of debts) {
    const { pk: linkPk } = await storeLink(storage, { provider });
    const account = await prisma.account.findFirstOrThrow({ where: { linkPk } });
    const body = renderLiability(account.accountId, debt('checking', fields));
    const data = { accountPk: account.pk, body, updatedAt: storage.ctx.clock() };
    await prisma.liability.create({ data });
  }
  return new LiabilityRateRepository(storage.ctx).institutionsWithSmallRates(provider);
}

describe('The institutions whose rates may be fractions', () => {
  it('are those with rates between 0 and 1 alone, of cards and loans', async () => {
    expect(await found('fractions', card('0.2499', '0.2999'), loan('0.0675'))).toEqual([
      'Test Bank',
    ]);
  });

  it.each([
    ['one rate in percent', [card('0.99'), loan('6.75')]],
    ['no interest at all', [card('0'), loan('0')]],
    ['no rate', [card()]],
  ])('are not those with %s', async (name, debts) => {
    expect(await found(name, ...debts)).toEqual([]);
  });

  it('are found in each configuration by its own debts', async () => {
    await found('one', card('0.2'));
    expect(await found('two', card('20'))).toEqual([]);
    expect(await found('one')).toEqual(['Test Bank']);
  });
});
