import { makeId } from '../../../domain/api/ids.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { MAX_DAYS, MAX_ROWS } from '../../../domain/recurring/bounds.js';
import { changedAccounts } from '../../../domain/recurring/changed-accounts.js';
import {
  identifyStreams,
  type IdentifiedStream,
} from '../../../domain/recurring/identified-stream.js';
import type { RecurringRow } from '../../../domain/recurring/recurring-row.js';
import type { Stream } from '../../../domain/recurring/stream.js';
import { announce } from '../../announcements/events/announce.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { lockLinkById } from '../link/link-transition.js';

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

/** A search since which the log of its link has grown. */
export interface OutdatedSearch {
  linkId: string;
  linkPk: bigint;
  known: RecurringSearch;
  /** The position that the log has reached. */
  headSeq: bigint;
  /** Today by the clock of the link. */
  day: string;
}

/** A result of a search before it is stored. */
export interface FoundStreams {
  linkPk: bigint;
  headSeq: bigint;
  day: string;
  found: Stream[];
}

interface SearchRow {
  head_seq: string;
  day: string;
  searched_at: Date;
  last_place: number;
  streams: string;
}

interface OutdatedRow extends SearchRow {
  link_pk: string;
  current_seq: string;
  /** Null = real time. */
  world_now: Date | null;
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
    return row === undefined ? null : searchOf(row);
  }

  /** Null = there was no search, or the log has not grown since. */
  async outdated(linkId: string): Promise<OutdatedSearch | null> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<OutdatedRow>({
      name: 'find-outdated-search',
      text: loadSql('find-outdated-search'),
      values: [linkId],
    });
    if (row === undefined) return null;
    return {
      linkId,
      linkPk: BigInt(row.link_pk),
      known: searchOf(row),
      headSeq: BigInt(row.current_seq),
      day: utcDay(row.world_now ?? this.ctx.clock()),
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
    found: FoundStreams,
  ): Promise<RecurringSearch | null> {
    const search = this.identify(known, found);
    const { rowCount } = await this.ctx.database.pool.query({
      name: 'store-recurring-search',
      text: loadSql('store-recurring-search'),
      values: storedValues(known, found.linkPk, search),
    });
    return rowCount === 1 ? search : null;
  }

  /** The same, and announces the accounts whose streams changed, in the same transaction. */
  async replaceAndAnnounce(
    { linkId, linkPk, known, headSeq, day }: OutdatedSearch,
    found: Stream[],
  ): Promise<void> {
    const search = this.identify(known, { linkPk, headSeq, day, found });
    const changed = changedAccounts(known.streams, search.streams);
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkById(tx, linkId);
      if (link === null) return;
      const count = await tx.$executeRawUnsafe(
        loadSql('store-recurring-search'),
        ...storedValues(known, linkPk, search),
      );
      if (count === 0 || changed.length === 0) return;
      const accounts = await tx.account.findMany({
        where: { linkPk, accountId: { in: changed } },
        select: { accountId: true, accountType: true },
        orderBy: { accountId: 'asc' },
      });
      await announce(this.ctx, tx, link, { kind: 'streams_changed', accounts });
    });
  }

  private identify(
    known: RecurringSearch | null,
    { headSeq, day, found }: FoundStreams,
  ): RecurringSearch {
    const { clock, random } = this.ctx;
    const streams = identifyStreams(known?.streams ?? [], found, {
      lastPlace: known?.lastPlace ?? 0,
      makeId: () => makeId('stream', random),
    });
    const lastPlace = Math.max(known?.lastPlace ?? 0, streams.at(-1)?.place ?? 0);
    return { headSeq, day, searchedAt: clock(), lastPlace, streams };
  }
}

function searchOf(row: SearchRow): RecurringSearch {
  return {
    headSeq: BigInt(row.head_seq),
    day: row.day,
    searchedAt: row.searched_at,
    lastPlace: row.last_place,
    streams: JSON.parse(row.streams) as IdentifiedStream[],
  };
}

/** For store-recurring-search.sql. */
function storedValues(known: RecurringSearch | null, linkPk: bigint, search: RecurringSearch) {
  const { headSeq, day, searchedAt, lastPlace, streams } = search;
  const replaced = [known?.headSeq ?? null, known?.day ?? null];
  return [linkPk, headSeq, day, searchedAt, lastPlace, JSON.stringify(streams), ...replaced];
}
