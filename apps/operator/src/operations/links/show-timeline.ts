import { remedyOf } from '../../../../../domain/link/link-remedies.js';
import {
  readPresent,
  type LinkPresent,
} from '../../../../../prisma/links/timeline/link-present.js';
import {
  readTimeline,
  type TimelinePage,
} from '../../../../../prisma/links/timeline/link-timeline.js';
import type { TimelinePosition } from '../../../../../prisma/links/timeline/timeline-position.js';
import type { TimelineKind } from '../../../../../prisma/links/timeline/timeline-row.js';
import type { Service } from '../../service.js';
import { describeRow } from '../../timeline/describe-row.js';
import type { TimelineEntry } from '../../timeline/timeline-entry.js';
import { unknownOf } from '../../timeline/timeline-end.js';
import { rowForApp } from './row-for-app.js';
import type { ShownPresent, ShownTimeline } from './shown-timeline.js';

export interface TimelineQuery {
  /** Missing = every kind. */
  kinds?: readonly TimelineKind[] | undefined;
  /** Null = from the newest. */
  before: TimelinePosition | null;
  /** The name in the record of a reader who may see one app alone; missing = an operator. */
  readerOfApp?: string | undefined;
  /** The form of a position in the answer. */
  encode: (position: TimelinePosition) => string;
}

/** A page of what happened to a link, in words. Null = there is no such link. */
export async function showTimeline(
  { context, database }: Pick<Service, 'context' | 'database'>,
  linkId: string,
  { kinds, before, readerOfApp, encode }: TimelineQuery,
): Promise<ShownTimeline | null> {
  const isOfLinkAlone = readerOfApp !== undefined;
  const page = await readTimeline(database, linkId, { kinds, before, isOfLinkAlone });
  if (page === null) return null;
  const now = context.clock();
  const rows =
    readerOfApp === undefined ? page.rows : page.rows.map((row) => rowForApp(row, readerOfApp));
  const entries = rows.map((row) => describeRow(row, page.link, now));
  const present = before === null ? await readPresent(database, page.link.pk) : null;
  return presentTimeline(page, {
    entries: isOfLinkAlone ? entries.map(withoutNumber) : entries,
    present,
    encode,
  });
}

/** The number of an action counts those of the whole instance. */
const withoutNumber = (entry: TimelineEntry): TimelineEntry =>
  entry.kind === 'operator' ? { ...entry, id: null } : entry;

interface Described {
  entries: readonly TimelineEntry[];
  present: LinkPresent | null;
  encode: TimelineQuery['encode'];
}

function presentTimeline(
  { link, next }: TimelinePage,
  { entries, present, encode }: Described,
): ShownTimeline {
  const { title, meaning, remedy } = remedyOf(link.state, link.error);
  return {
    link_id: link.linkId,
    app_id: link.appId,
    environment: link.environment,
    institution_id: link.institutionId,
    provider: link.provider,
    state: link.state,
    error: link.error,
    error_cause: link.errorCause,
    title,
    meaning,
    remedy,
    now: present === null ? null : presentNow(present),
    entries: entries.map(({ at, ...entry }) => ({ at: at.toISOString(), ...entry })),
    before: next === null ? null : encode(next),
    unknown: next === null ? unknownOf(link) : [],
  };
}

function presentNow(present: LinkPresent): ShownPresent {
  return {
    next_due_at: present.nextDueAt?.toISOString() ?? null,
    products: present.products.map(({ product, refreshedAt, errorCode, errorCause }) => ({
      product,
      refreshed_at: refreshedAt?.toISOString() ?? null,
      error_code: errorCode,
      error_cause: errorCause,
    })),
    waiting_refreshes: present.refreshRequests.map(({ product, cause, createdAt }) => ({
      product,
      cause,
      created_at: createdAt.toISOString(),
    })),
    held_events: present.heldEvents,
    permissions_to_end: present.permissionsToEnd,
  };
}
