import { addDays } from '../../../domain/api/timestamps.js';
import type { TransactionWindow } from '../../contract/provider.js';

/** Servers allow 90 days in a request, some 45; one day less allows for clock differences. */
const MAX_DAYS = 44;

/** One request: days in UTC as epoch seconds, the start included, the end excluded. */
export interface EpochWindow {
  start: number;
  end: number;
}

/** The requests for a window, oldest first, without a gap or an overlap. */
export function splitWindow({ from, to }: TransactionWindow): EpochWindow[] {
  const windows: EpochWindow[] = [];
  for (let day = from; day <= to; day = addDays(day, MAX_DAYS)) {
    const last = addDays(day, MAX_DAYS - 1);
    windows.push({ start: epochOf(day), end: epochOf(addDays(last < to ? last : to, 1)) });
  }
  return windows;
}

const epochOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;
