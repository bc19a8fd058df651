import { once } from 'node:events';
import { from as copyFrom } from 'pg-copy-streams';
import type { Storage, StoredLink } from '../../support/fixtures/stored-link.js';

const COLUMNS = [
  'link_pk',
  'seq',
  'first_seq',
  'born_pending',
  'posted_seq',
  'removed',
  'transaction_id',
  'account_id',
  'provider_transaction_id',
  'amount',
  'type',
  'currency',
  'date',
  'pending',
  'category',
  'content_hash',
  'body',
  'counterparty_numbers',
  'created_at',
] as const;

/** The versions of a link as input lines for COPY. */
export async function copyLinesOf(
  { ctx }: Storage,
  link: StoredLink,
): Promise<Record<string, string>[]> {
  const { rows } = await ctx.database.pool.query<Record<string, string>>(
    `SELECT ${COLUMNS.map((name) => `${name}::text AS ${name}`).join(', ')} FROM transaction_versions WHERE link_pk = $1 ORDER BY seq`,
    [link.pk],
  );
  return rows;
}

/**
 * Copies the rows into the same table, with its indexes, for another link: the minimum amount of
 * work.
 */
export async function copyRows(
  { ctx }: Storage,
  link: StoredLink,
  rows: readonly Record<string, string>[],
  mark: string,
): Promise<void> {
  const text = rows
    .map((row) =>
      COLUMNS.map((name) =>
        escape(
          name === 'link_pk'
            ? String(link.pk)
            : name === 'transaction_id'
              ? `${row[name]}${mark}`
              : row[name],
        ),
      ).join('\t'),
    )
    .join('\n');
  const client = await ctx.database.pool.connect();
  try {
    const stream = client.query(
      copyFrom(`COPY transaction_versions (${COLUMNS.join(', ')}) FROM STDIN`),
    );
    stream.end(`${text}\n`);
    await once(stream, 'finish');
  } finally {
    client.release();
  }
}

function escape(value: string | null | undefined): string {
  return value === null || value === undefined
    ? String.raw`\N`
    : value
        .replaceAll('\\', String.raw`\\`)
        .replaceAll('\t', String.raw`\t`)
        .replaceAll('\n', String.raw`\n`);
}
