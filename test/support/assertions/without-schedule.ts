/** A response without the times of planned refreshes: the schedule goes on while a test looks elsewhere. */
export function withoutSchedule(read: unknown): unknown {
  return JSON.parse(
    JSON.stringify(read, (name, value: unknown) => (name === 'next_refresh_at' ? null : value)),
  );
}
