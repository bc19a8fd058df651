import { holding, investments, security } from '../../support/fixtures/listed-holdings.js';
import {
  beginFetch,
  EVERY_DAY,
  row,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import type { Report } from './report.js';
import type { Sample } from './rounds.js';
import { timed } from './timed.js';

const ROWS = 500;
const LINKS_A_ROUND = 10;

/**
 * The cost of a refresh of 500 holdings, unchanged and with new prices, compared to that of 500 unchanged
 * transactions in the same run.
 */
export async function measureHoldings(
  storage: Storage,
  report: Report,
  rounds: number,
): Promise<void> {
  const links: StoredLink[] = [];
  for (let index = 0; index < LINKS_A_ROUND; index += 1)
    links.push(await storeLink(storage, { products: ['accounts', 'transactions', 'investments'] }));
  const rows = Array.from({ length: ROWS }, (_, number) => row(`row-${number}`));
  const transactions = async () =>
    timed(await prepare('transactions'), async ({ link, run }) => {
      await storage.refresh.storeTransactions(link.linkId, run, {
        transactions: rows,
        last: true,
        window: EVERY_DAY,
        seenIds: [],
      });
    });
  const holdings = async (day: number, changed: number) => {
    const list = Array.from({ length: ROWS }, (_, number) =>
      holding(`holding-${number}`, {
        security: security({ symbol: `S${number}` }),
        value: `${1000 + number + day}.25`,
        cost: '900.00',
      }),
    );
    return timed(await prepare('investments'), async ({ link, run }) => {
      const fetched = investments(list, ['checking'], '2000000');
      const stored = await storage.refresh.storeInvestments(link.linkId, run, fetched);
      if (stored.changed !== changed)
        throw new Error(`changed ${stored.changed} holdings instead of ${changed}`);
    });
  };
  async function prepare(product: 'transactions' | 'investments') {
    const started: { link: StoredLink; run: string }[] = [];
    for (const link of links)
      started.push({ link, run: await beginFetch(storage, link, product, 'scheduled') });
    return started;
  }

  await transactions();
  await holdings(0, ROWS);
  const samples = { limit: [] as Sample[], unchanged: [] as Sample[], changed: [] as Sample[] };
  for (let round = 1; round <= rounds; round += 1) {
    samples.limit.push(await transactions());
    samples.unchanged.push(await holdings(round - 1, 0));
    samples.changed.push(await holdings(round, ROWS));
  }
  const against = { limit: 'unchanged transactions', limitSamples: samples.limit };
  report.add({ what: '500 unchanged transactions', ...against, samples: samples.limit });
  report.add({
    what: '500 unchanged holdings, none written',
    goal: 0.5,
    ...against,
    samples: samples.unchanged,
  });
  report.add({ what: '500 holdings with new prices', ...against, samples: samples.changed });
}
