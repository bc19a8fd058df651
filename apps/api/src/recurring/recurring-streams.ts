import { Injectable } from '@nestjs/common';
import { utcDay } from '../../../../domain/api/timestamps.js';
import { searchStreams } from '../../../../domain/recurring/find-streams.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import {
  RecurringSearchRepository,
  type RecurringSearch,
} from '../../../../prisma/links/recurring/recurring-search.repository.js';
import { runInTurns } from '../../../platform/src/process/run-in-turns.js';

/** Another process that stores its own search first is at most this often repeated. */
const ATTEMPTS = 3;

/**
 * Finds the recurring payments of a link when they are read: a link that no one asks about costs nothing. A search is
 * kept until rows of the link change, or a day passes by its clock.
 */
@Injectable()
export class RecurringStreams {
  constructor(private readonly searches: RecurringSearchRepository) {}

  async of(link: LinkView): Promise<Pick<RecurringSearch, 'searchedAt' | 'streams'>> {
    const day = utcDay(link.now);
    let known = await this.searches.find(link.pk);
    for (let attempt = 0; attempt < ATTEMPTS && !isCurrent(known, link, day); attempt += 1) {
      const rows = await this.searches.rows(link.pk, day);
      const found = await runInTurns(searchStreams(rows, day));
      known =
        (await this.searches.replace(known, {
          linkPk: link.pk,
          headSeq: link.headSeq,
          day,
          found,
        })) ?? (await this.searches.find(link.pk));
    }
    return known ?? { searchedAt: link.now, streams: [] };
  }
}

function isCurrent(known: RecurringSearch | null, { headSeq }: LinkView, day: string): boolean {
  return known !== null && known.headSeq >= headSeq && known.day >= day;
}
