import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../domain/refresh/fetched-data.js';
import { addDays } from '../../domain/api/timestamps.js';
import {
  beginFetch,
  openStorage,
  row,
  storeLink,
  type StoredLink,
} from '../support/fixtures/stored-link.js';
import { copyLinesOf, copyRows } from './support/copy-limit.js';
import { measureDueQueue } from './support/due-queue.js';
import { filledDetails } from './support/filled-details.js';
import { measureHoldings } from './support/holdings-refresh.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';
import { interleave, type Sample } from './support/rounds.js';
import { timed } from './support/timed.js';

// The cost of storing one fetch of 500 rows compared to a COPY of the same rows into the same
// table, with all details filled: with lock, comparison, numbering, product state, event and commit. The preparation of the
// fetch and of the COPY lines is not counted. Then the holdings of a link, and the due queue, which starts the fetches.
const ROWS = 500;
const LINKS_A_ROUND = 25;

const options = readOptions();
const report = new Report('ingest');
const storage = await openStorage();
try {
  if (options.wants('rows')) await measureRows();
  if (options.wants('holdings')) await measureHoldings(storage, report, options.rounds);
} finally {
  await storage.close();
}
if (options.wants('due-queue')) {
  const large = await openStorage();
  try {
    await measureDueQueue(large, report, options.rounds);
  } finally {
    await large.close();
  }
}
report.end(options.json);

async function measureRows(): Promise<void> {
  const fetched = (change: (number: number) => number = () => 0) =>
    Array.from({ length: ROWS }, (_, number): FetchedTransaction =>
      row(`row-${number}`, {
        amount: new Decimal(number).plus(change(number)).dividedBy(100),
        date: addDays('2026-01-01', number % 300),
        description: `Shop ${number}`,
        rawDescription: `POS ${number} SHOP`,
        providerAccountId: number % 3 === 0 ? 'card' : 'checking',
        ...filledDetails(number),
      }),
    );
  const pattern = await storeLink(storage);
  await storeAll(await prepare([pattern]), fetched());
  const lines = await copyLinesOf(storage, pattern);
  if (lines.length !== ROWS) throw new Error(`stored ${lines.length} rows instead of ${ROWS}`);

  let links: StoredLink[] = [];
  let marks = 0;
  const subjects = {
    copy: async () => {
      const fresh = await storeLinks();
      return timed(fresh, (link) => copyRows(storage, link, lines, `c${(marks += 1)}`));
    },
    fresh: async () => {
      links = await storeLinks();
      return storeAll(await prepare(links), fetched(), { created: ROWS, updated: 0 });
    },
    unchanged: async () => {
      const started = await prepare(links);
      const before = await versions();
      const sample = await storeAll(started, fetched(), { created: 0, updated: 0 });
      if ((await versions()) !== before) throw new Error('an unchanged fetch wrote rows');
      return sample;
    },
    changed: async (round: number) =>
      storeAll(
        await prepare(links),
        fetched((number) => (number % 10 === 0 ? round + 1 : 0)),
        { created: 0, updated: ROWS / 10 },
      ),
  };
  // Rows must exist before they can be unchanged, so the first round follows the order of the
  // object.
  const restore = async () => {
    await storeAll(await prepare(links), fetched());
  };
  await interleave(subjects, 1);
  const samples = {
    copy: [] as Sample[],
    fresh: [] as Sample[],
    unchanged: [] as Sample[],
    changed: [] as Sample[],
  };
  for (let round = 0; round < options.rounds; round += 1) {
    samples.copy.push(await subjects.copy());
    samples.fresh.push(await subjects.fresh());
    samples.unchanged.push(await subjects.unchanged());
    samples.changed.push(await subjects.changed(round));
    await restore();
  }
  const against = { limit: 'COPY', limitSamples: samples.copy };
  report.add({ what: '500 rows by COPY', ...against, samples: samples.copy });
  report.add({ what: '500 new rows', goal: 0.4, ...against, samples: samples.fresh });
  report.add({
    what: '500 unchanged rows, none written',
    goal: 0.5,
    ...against,
    samples: samples.unchanged,
  });
  report.add({ what: '500 rows, 50 changed', goal: 0.45, ...against, samples: samples.changed });
}

interface StartedFetch {
  link: StoredLink;
  run: string;
}

async function storeLinks(): Promise<StoredLink[]> {
  const stored: StoredLink[] = [];
  for (let index = 0; index < LINKS_A_ROUND; index += 1) stored.push(await storeLink(storage));
  return stored;
}

async function prepare(of: readonly StoredLink[]): Promise<StartedFetch[]> {
  const started: StartedFetch[] = [];
  for (const link of of)
    started.push({ link, run: await beginFetch(storage, link, 'transactions', 'scheduled') });
  return started;
}

async function storeAll(
  started: readonly StartedFetch[],
  transactions: readonly FetchedTransaction[],
  expected?: { created: number; updated: number },
): Promise<Sample> {
  return timed(started, async ({ link, run }) => {
    const stored = await storage.refresh.storeTransactions(link.linkId, run, {
      transactions,
      last: true,
      window: { from: '2026-01-01', to: '2026-12-31' },
      seenIds: [],
    });
    if (
      expected !== undefined &&
      (stored.created !== expected.created ||
        stored.updated !== expected.updated ||
        stored.removed !== 0)
    )
      throw new Error(`stored ${JSON.stringify(stored)} instead of ${JSON.stringify(expected)}`);
  });
}

async function versions(): Promise<string> {
  const {
    rows: [counted],
  } = await storage.ctx.database.pool.query<{ xmin: string }>(
    "SELECT max(xmin::text::bigint) || '/' || count(*) AS xmin FROM transaction_versions",
  );
  return counted?.xmin ?? '';
}
