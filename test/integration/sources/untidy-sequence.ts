import { TransactionReader } from '../../../prisma/links/transactions/transaction-reader.js';
import type { Product } from '../../../domain/link/products.js';
import { refreshesAt, storePermittedLink } from '../../support/fixtures/fetching-link.js';
import { scriptedSource } from './scripted-source.js';
import type { Storage } from '../../support/fixtures/stored-link.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import { SyncReader } from '../transactions/sync-reader.js';
import { OTHER_TEXT, UntidyBank, UNTIDY_IDS, type UntidyIds } from './untidy-bank.js';

const FETCHED: readonly Product[] = ['accounts', 'transactions'];

interface ShownRow {
  transaction_id: string;
  account_id: string;
  amount: number;
  date: string;
  description: string;
  pending: boolean;
}

/** The outcome of a sequence of untidy responses after the first correct one. */
export interface EndOfSequence {
  synced: string[];
  truth: string[];
  /** The texts of rows whose id changed although they stayed. */
  renumbered: string[];
  /** The anomalies that a reader of sync must never see. */
  violations: string[];
  /** The accounts that are still incomplete. */
  incomplete: unknown[];
  state: string;
}

/**
 * Refreshes a link through untidy responses, reading at the same time, and then through a correct
 * one.
 */
export async function endOfSequence(
  storage: Storage,
  { ids, seed, refreshes }: { ids: UntidyIds; seed: number; refreshes: number },
): Promise<EndOfSequence> {
  const random = seededRandom(seed);
  const bank = new UntidyBank(random, ids);
  const link = await storePermittedLink(storage);
  const nameOf = new Map([...link.accounts].map(([name, id]) => [id, name]));
  const reader = new SyncReader(new TransactionReader(storage.ctx), link.linkId, random);
  let isTidy = true;
  const source = scriptedSource(() => (isTidy ? bank.correctAnswer() : bank.answer()), {
    transactionIds: UNTIDY_IDS[ids],
    absence: random() < 0.5 ? 'closed' : 'unknown',
  });
  const ofRows = scriptedSource(({ knownAccounts }) =>
    isTidy ? bank.correctAnswer() : bank.answer(knownAccounts),
  );
  const at = refreshesAt(storage, { ...source, fetchTransactions: ofRows.fetchTransactions });
  const known = new Map<string, string>();
  const renumbered = new Set<string>();

  await refresh();
  isTidy = false;
  for (let count = 0; count < refreshes; count += 1) {
    bank.change();
    await refresh();
  }
  bank.tidyUp();
  isTidy = true;
  await refresh();
  const { prisma } = storage.ctx.database;
  const stored = await prisma.link.findUniqueOrThrow({
    where: { pk: link.pk },
    include: { products: true },
  });
  return {
    synced: shown()
      .map((each) =>
        [
          each.description,
          nameOf.get(each.account_id),
          each.amount,
          each.date.slice(0, 10),
          each.pending,
        ].join(' | '),
      )
      .sort(),
    truth: bank.truth(),
    renumbered: [...renumbered],
    violations: reader.violations,
    incomplete: stored.products.flatMap(({ incomplete }) => incomplete as unknown[]),
    state: stored.state,
  };

  async function refresh(): Promise<void> {
    await at.run(link, FETCHED);
    await reader.walkToEnd();
    for (const { description, transaction_id: id } of shown()) {
      // Rows of several ids have had it, for as long as an untidy response reported it.
      if (description === OTHER_TEXT) continue;
      if ((known.get(description) ?? id) !== id) renumbered.add(description);
      known.set(description, id);
    }
  }

  function shown(): ShownRow[] {
    return [...reader.replica.values()].map((text) => JSON.parse(text) as ShownRow);
  }
}
