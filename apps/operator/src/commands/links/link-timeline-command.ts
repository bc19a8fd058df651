import { InvalidArgumentError } from 'commander';
import { remedyOf } from '../../../../../domain/link/link-remedies.js';
import {
  readPresent,
  type LinkPresent,
} from '../../../../../prisma/links/timeline/link-present.js';
import {
  readTimeline,
  type TimelinePage,
} from '../../../../../prisma/links/timeline/link-timeline.js';
import {
  decodeTimelinePosition,
  encodeTimelinePosition,
  type TimelinePosition,
} from '../../../../../prisma/links/timeline/timeline-position.js';
import {
  TIMELINE_KINDS,
  type TimelineKind,
} from '../../../../../prisma/links/timeline/timeline-row.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { printable } from '../../../../../clients/terminal/src/printable.js';
import { sheet } from '../../../../../clients/terminal/src/table.js';
import { describeRow } from '../../timeline/describe-row.js';
import type { TimelineEntry } from '../../timeline/timeline-entry.js';
import { unknownOf } from '../../timeline/timeline-end.js';
import type { OperatorCommand } from '../../operator-command.js';

interface TimelineOptions {
  kinds?: TimelineKind[];
  before?: TimelinePosition;
}

export const LINK_TIMELINE: OperatorCommand = {
  name: 'links timeline',
  help: 'show what happened to a link, newest first, each with its cause and remedy, and what cannot be known',
  examples: ['links timeline LINK_ID', 'links timeline LINK_ID --kinds session,route'],
  recorded: false,
  arguments: (command) =>
    command
      .argument('<link_id>')
      .option(
        '--kinds <kinds>',
        `only these, separated by commas: ${TIMELINE_KINDS.join(', ')}`,
        kinds,
      )
      .option(
        '--before <position>',
        'continue where the last page ended, which printed it',
        position,
      ),
  run: async ({ context, database, output }, linkId: string, options: TimelineOptions) => {
    const { kinds: only, before = null } = options;
    const page = await readTimeline(database, linkId, { kinds: only, before });
    if (page === null) throw new CommandFailure(`There is no link ${linkId}.`);
    const now = context.clock();
    const entries = page.rows.map((row) => describeRow(row, page.link, now));
    const present = before === null ? await readPresent(database, page.link.pk) : null;
    const shown = presentTimeline(page, entries, present);
    output.value(shown, () => describe(shown, entries));
  },
};

function kinds(text: string): TimelineKind[] {
  return text.split(',').map((word) => {
    const kind = TIMELINE_KINDS.find((known) => known === word.trim());
    if (kind === undefined)
      throw new InvalidArgumentError(`Must be of ${TIMELINE_KINDS.join(', ')}.`);
    return kind;
  });
}

function position(text: string): TimelinePosition {
  const decoded = decodeTimelinePosition(text);
  if (decoded === null)
    throw new InvalidArgumentError('Must be a position that an earlier page printed.');
  return decoded;
}

type ShownTimeline = ReturnType<typeof presentTimeline>;

function presentTimeline(
  { link, next }: TimelinePage,
  entries: readonly TimelineEntry[],
  present: LinkPresent | null,
) {
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
    /** Only on the first page. */
    now:
      present === null
        ? null
        : {
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
          },
    entries: entries.map(({ at, ...entry }) => ({ at: at.toISOString(), ...entry })),
    before: next === null ? null : encodeTimelinePosition(next),
    unknown: next === null ? unknownOf(link) : [],
  };
}

function describe(
  { now, entries: _, before, unknown, ...facts }: ShownTimeline,
  entries: readonly TimelineEntry[],
): string {
  return [
    sheet(facts),
    ...(now === null ? [] : [['Now', ...presentLines(now)].join('\n')]),
    ...(entries.length === 0 ? ['(no entry on this page)'] : entries.map(describeEntry)),
    before === null
      ? ['What cannot be known', ...unknown.map((line) => `- ${line}`)].join('\n')
      : `Older entries: --before ${before}`,
  ].join('\n\n');
}

function presentLines(now: NonNullable<ShownTimeline['now']>): string[] {
  return [
    `next refresh: ${now.next_due_at ?? 'none is scheduled'}`,
    ...now.products.map(
      ({ product, refreshed_at, error_code, error_cause }) =>
        `${product}: refreshed ${refreshed_at ?? 'never'}${error_code === null ? '' : `, last error ${error_code}${error_cause === null ? '' : ` (${error_cause})`}`}`,
    ),
    ...now.waiting_refreshes.map(
      ({ product, cause, created_at }) =>
        `a refresh of ${product} waits since ${created_at}, requested by ${cause}`,
    ),
    ...(now.held_events === '0' ? [] : [`${now.held_events} data events wait for the exchange`]),
    ...(now.permissions_to_end === '0'
      ? []
      : [`${now.permissions_to_end} permissions are still to be ended at their source`]),
  ];
}

function describeEntry({ at, title, cause, remedy, lines, kind, id }: TimelineEntry): string {
  return [
    `${at.toISOString()}  ${title}  [${kind}${id === null ? '' : ` ${id}`}]`,
    ...(cause === null ? [] : [`  ${cause}`]),
    ...(remedy === null ? [] : [`  Remedy: ${remedy}`]),
    ...lines.map((line) => `  · ${line}`),
  ]
    .map(printable)
    .join('\n');
}
