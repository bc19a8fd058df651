import type { ActionMoment } from '../../../../prisma/links/timeline/timeline-row.js';
import { shortened, type TimelineEntry } from './timeline-entry.js';

/** A start without an end that is this old belongs to a process that was lost. */
const LOST_AFTER_MS = 3_600_000;

const OUTCOMES: Readonly<Record<ActionMoment['outcome'], string>> = {
  started: ' (in progress)',
  succeeded: '',
  failed: ' (failed)',
  refused: ' (refused)',
};

export function describeAction(
  { at, number, actor, action, subject, outcome }: Omit<ActionMoment, 'kind'>,
  now: Date,
): TimelineEntry {
  const isLost = outcome === 'started' && now.getTime() - at.getTime() > LOST_AFTER_MS;
  return {
    kind: 'operator',
    at,
    id: number.toString(),
    title: `${actor}: ${action}${isLost ? ' (its end is not recorded)' : OUTCOMES[outcome]}`,
    cause: shortened(subject),
    remedy: isLost ? 'See whether it took effect, and run the command again if not.' : null,
    lines: [],
  };
}
