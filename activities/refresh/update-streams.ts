import type { RecurringRow } from '../../domain/recurring/recurring-row.js';
import type { Stream } from '../../domain/recurring/stream.js';
import type { RecurringSearchRepository } from '../../prisma/links/recurring/recurring-search.repository.js';

export interface StreamUpdateDeps {
  searches: Pick<RecurringSearchRepository, 'outdated' | 'rows' | 'replaceAndAnnounce'>;
  search: (rows: RecurringRow[], day: string) => Promise<Stream[]>;
  /** Runs one piece of work at a time, since each holds thousands of rows. */
  inTurn: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Searches the recurring payments of a link again and announces what changed. A link whose payments were never read
 * costs one look-up.
 */
export async function updateStreams(
  { searches, search, inTurn }: StreamUpdateDeps,
  linkId: string,
): Promise<void> {
  const outdated = await searches.outdated(linkId);
  if (outdated === null) return;
  await inTurn(async () => {
    const rows = await searches.rows(outdated.linkPk, outdated.day);
    await searches.replaceAndAnnounce(outdated, await search(rows, outdated.day));
  });
}
