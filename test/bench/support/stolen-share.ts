import { readFileSync } from 'node:fs';

/**
 * Starts measuring the share of the cores' time that the host of this virtual machine uses for
 * others, between 0 and 1. No measurement can be better than the remaining share.
 * @returns a function that returns the share; null when /proc/stat does not report it
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

/**
 * Ticks of all cores since boot. proc(5): user nice system idle iowait irq softirq steal, followed
 * by fields that are already included in these.
 */
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
