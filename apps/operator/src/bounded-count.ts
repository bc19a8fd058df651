/** A count that ended at `max`, as people read it: `1,000+`. */
export function boundedCount(count: number, max: number): string {
  return count > max ? `${max.toLocaleString('en-US')}+` : count.toLocaleString('en-US');
}
