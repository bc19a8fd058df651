import type {
  GaugeReading,
  WorkGauges,
} from '../../../../../prisma/operations/gauges/gauge.repository.js';
import type { WaitingWork } from './part-shapes.js';

interface Kind {
  name: WaitingWork['name'];
  waiting(work: WorkGauges): number;
  oldestAt(work: WorkGauges): Date | null;
  /** From then on the alerts of deploy/prometheus fire. */
  lateSeconds: number;
  remedy: string;
}

const KINDS: readonly Kind[] = [
  {
    name: 'commands',
    waiting: (work) => work.outboxCommands,
    oldestAt: (work) => work.outboxOldestAt,
    lateSeconds: 300,
    remedy: 'See whether a worker runs and reaches Temporal: it starts the workflows',
  },
  {
    name: 'links_due',
    waiting: (work) => work.linksDue,
    oldestAt: (work) => work.linksDueSince,
    lateSeconds: 600,
    remedy: 'See whether a worker runs: it requests the scheduled refreshes',
  },
  {
    name: 'refresh_requests',
    waiting: (work) => work.requestsWaiting,
    oldestAt: (work) => work.requestsOldestAt,
    lateSeconds: 3 * 3_600,
    remedy: 'See whether workers are busy, and whether a provider has used up its quota',
  },
  {
    name: 'webhooks',
    waiting: (work) => work.webhooksDue,
    oldestAt: (work) => work.webhooksDueSince,
    lateSeconds: 900,
    remedy: 'See whether the process "webhooks" runs: it makes the first attempts',
  },
];

/** The work that waits, with the process to look at where it waits too long. */
export function waitingWork({ at, work }: Pick<GaugeReading, 'at' | 'work'>): WaitingWork[] {
  return KINDS.map(({ name, waiting, oldestAt, lateSeconds, remedy }) => {
    const since = oldestAt(work)?.getTime() ?? at.getTime();
    const oldestSeconds = Math.max(0, Math.round((at.getTime() - since) / 1_000));
    return {
      name,
      waiting: waiting(work),
      oldest_seconds: oldestSeconds,
      remedy: oldestSeconds > lateSeconds ? remedy : null,
    };
  });
}
