import { z } from 'zod';
import type { WaitingWork } from '../parts/part-shapes.js';

export const InstanceStartInput = z.object({});

/** `GET /instance/start`; kept for 15 seconds. */
export interface InstanceStart {
  /** Each counted up to 1,000 (1,001 = more); receivers up to 250. */
  sentence_parts: {
    links_in_error: number;
    banks_down: number;
    receivers_refusing: number;
    /** Of the first 1,000 apps. */
    events_abandoned: number;
    configurations_broken: number;
  };
  waiting: WaitingWork[];
  read_at: string;
}
