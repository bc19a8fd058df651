import { makeId } from '../../../domain/api/ids.js';
import { addDays } from '../../../domain/api/timestamps.js';
import { MAX_DAYS, MAX_ROWS } from '../../../domain/recurring/bounds.js';
import {
  identifyStreams,
  type IdentifiedStream,
} from '../../../domain/recurring/identified-stream.js';
import type { RecurringRow } from '../../../domain/recurring/recurring-row.js';
import type { Stream } from '../../../domain/recurring/stream.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

/** The recurring payments of a link, as they were last found. */
export interface RecurringSearch {
  /** The position of the log at which the rows were read. */
  headSeq: bigint;
  /** Today by the clock of the link, `YYYY-MM-DD`. */
  day: string;
  searchedAt: Date;
  lastPlace: number;
  streams: IdentifiedStream[];
}

interface SearchRow {
  head_seq: string;
  day: string;
  searched_at: Date;
  last_place: number;
  streams: string;
}

export class RecurringSearchRepository {
  constructor(private readonly ctx: Context) {}

  /** Null = there was no search. */
  async find(linkPk: bigint): Promise<RecurringSearch | null> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<SearchRow>({
      name: 'find-recurring-search',
      text: loadSql('find-recurring-search'),
      values: [linkPk],
    });
    if (row === undefined) return null;
    return {
      headSeq: BigInt(row.head_seq),
      day: row.day,
      searchedAt: row.searched_at,
      lastPlace: row.last_place,
      streams: JSON.parse(row.streams) as IdentifiedStream[],
    };
  }

  /** The rows that a search on this day covers, without removed ones. */
  async rows(linkPk: bigint, day: string): Promise<RecurringRow[]> {
    const { rows } = await this.ctx.database.pool.query<RecurringRow>({
      name: 'recurring-rows',
      text: loadSql('recurring-rows'),
      values: [linkPk, addDays(day, -MAX_DAYS), MAX_ROWS],
    });
    return rows;
  }

  /**
   * Stores what was found, with the ids of the search that it replaces. Null = another process has stored its own
   * meanwhile, or the link was deleted.
   */
  async replace(
    known: RecurringSearch | null,
    {
      linkPk,
      headSeq,
      day,
      found,
    }: { linkPk: bigint; headSeq: bigint; day: string; found: Stream[] },
  ): Promise<RecurringSearch | null> {
    const { database, clock, random } = this.ctx;
    const streams = identifyStreams(known?.streams ?? [], found, {
      lastPlace: known?.lastPlace ?? 0,
      makeId: () => makeId('stream', random),
    });
    const lastPlace = Math.max(known?.lastPlace ?? 0, streams.at(-1)?.place ?? 0);
    const search = { headSeq, day, searchedAt: clock(), lastPlace, streams };
    const { rowCount } = await database.pool.query({
      name: 'store-recurring-search',
      text: loadSql('store-recurring-search'),
      values: [
        linkPk,
        headSeq,
        day,
        search.searchedAt,
        lastPlace,
        JSON.stringify(streams),
        known?.headSeq ?? null,
        known?.day ?? null,
      ],
    });
    return rowCount === 1 ? search : null;
  }
}
