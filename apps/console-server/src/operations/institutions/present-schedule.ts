import type { ShownControl } from '../../../../../prisma/work/refresh/refresh-control.repository.js';
import type { ChangedSchedule } from './institution-shapes.js';

export function presentSchedule({ paused, pausedUntil }: ShownControl): ChangedSchedule {
  return { paused, paused_until: pausedUntil?.toISOString() ?? null };
}
