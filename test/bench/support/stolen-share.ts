import { readFileSync } from 'node:fs';

/**
 * From now on: which share of the cores' time the host of this virtual machine gave to others, of 1. No measurement here
 * can be better than that leaves it.
 *
 * @returns a function that tells it; null where /proc/stat does not
 */
export function watchStolenTime(): () => number | null {
  const before = ticks();
  return () => {
    const after = ticks();
    return before === null || after === null || after.all === before.all
      ? null
      : (after.stolen - before.stolen) / (after.all - before.all);
  };
}

/** Ticks of all cores since boot. proc(5): user nice system idle iowait irq softirq steal, then what these contain already. */
function ticks(): { stolen: number; all: number } | null {
  let stat: string;
  try {
    stat = readFileSync('/proc/stat', 'utf8');
  } catch {
    return null;
  }
  const counted = /^cpu +(.*)/.exec(stat)?.[1]?.split(' ').slice(0, 8).map(Number) ?? [];
  const stolen = counted[7];
  return stolen === undefined ? null : { stolen, all: counted.reduce((sum, one) => sum + one, 0) };
}
