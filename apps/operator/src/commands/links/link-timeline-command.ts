import { InvalidArgumentError } from 'commander';
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
import { showTimeline } from '../../operations/links/show-timeline.js';
import type {
  ShownEntry,
  ShownPresent,
  ShownTimeline,
} from '../../operations/links/shown-timeline.js';
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
        readKinds,
      )
      .option(
        '--before <position>',
        'continue where the last page ended, which printed it',
        position,
      ),
  run: async ({ context, database, output }, linkId: string, options: TimelineOptions) => {
    const shown = await showTimeline({ context, database }, linkId, {
      kinds: options.kinds,
      before: options.before ?? null,
      encode: encodeTimelinePosition,
    });
    if (shown === null) throw new CommandFailure(`There is no link ${linkId}.`);
    output.value(shown, () => describe(shown));
  },
};

/** @throws InvalidArgumentError */
export function readKinds(text: string): TimelineKind[] {
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

function describe({ now, entries, before, unknown, ...facts }: ShownTimeline): string {
  return [
    sheet(facts),
    ...(now === null ? [] : [['Now', ...presentLines(now)].join('\n')]),
    ...(entries.length === 0 ? ['(no entry on this page)'] : entries.map(describeEntry)),
    before === null
      ? ['What cannot be known', ...unknown.map((line) => `- ${line}`)].join('\n')
      : `Older entries: --before ${before}`,
  ].join('\n\n');
}

function presentLines(now: ShownPresent): string[] {
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

function describeEntry({ at, title, cause, remedy, lines, kind, id }: ShownEntry): string {
  return [
    `${at}  ${title}  [${kind}${id === null ? '' : ` ${id}`}]`,
    ...(cause === null ? [] : [`  ${cause}`]),
    ...(remedy === null ? [] : [`  Remedy: ${remedy}`]),
    ...lines.map((line) => `  · ${line}`),
  ]
    .map(printable)
    .join('\n');
}
