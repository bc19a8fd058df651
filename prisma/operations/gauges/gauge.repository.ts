import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { DEFAULT_WORLD } from '../../worlds/world-clock.js';

/** Counts stop at `MAX_COUNTED`; a null time means that nothing waits. */
export interface WorkGauges {
  outboxCommands: number;
  outboxOldestAt: Date | null;
  linksDue: number;
  linksDueSince: Date | null;
  requestsWaiting: number;
  requestsOldestAt: Date | null;
  webhooksDue: number;
  webhooksDueSince: Date | null;
  webhooksOldestAt: Date | null;
  endpointsRefusing: number;
  openRetries: number;
  openSessions: number;
  openFetches: number;
  openRevocations: number;
  openErasures: number;
}

export interface SessionEnds {
  mode: string;
  outcome: string;
  sessions: number;
}

/** `signing`: the current key of a set. `oldest_master`: the oldest that stored values need. */
export interface KeyAge {
  kind: 'signing' | 'master' | 'oldest_master';
  keySet: string;
  since: Date;
}

/** The values of the gauges. */
export interface GaugeReading {
  /** The time of the reading. */
  at: Date;
  work: WorkGauges;
  sessionEnds: SessionEnds[];
  keyAges: KeyAge[];
}

const MAX_COUNTED = 1_000;
const MAX_ENDPOINTS = 250;
const RECENTLY_MS = 15 * 60_000;

/**
 * The waiting work in the database, read within milliseconds at any size: every number is an index
 * look-up, or a count that stops early. docs/decisions/operating/0043.
 */
export class GaugeRepository {
  constructor(private readonly ctx: Context) {}

  async read(): Promise<GaugeReading> {
    const at = this.ctx.clock();
    const { hot } = this.ctx.database;
    const work = await hot.query<WorkGauges>({
      name: 'work-gauges',
      text: loadSql('work-gauges'),
      values: [at, DEFAULT_WORLD, MAX_COUNTED, MAX_ENDPOINTS],
    });
    const ends = await hot.query<SessionEnds>({
      name: 'session-ends',
      text: loadSql('session-ends'),
      values: [new Date(at.getTime() - RECENTLY_MS), at],
    });
    const ages = await hot.query<KeyAge>({
      name: 'key-ages',
      text: loadSql('key-ages'),
      values: [at],
    });
    const [row] = work.rows;
    if (row === undefined) throw new Error('the gauges have no row');
    return { at, work: row, sessionEnds: ends.rows, keyAges: ages.rows };
  }
}
