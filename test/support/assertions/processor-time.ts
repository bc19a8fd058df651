/**
 * Milliseconds of processor time of this thread: what other threads and processes do does not count.
 * The kernel counts in steps of some milliseconds, so `work` should need far more.
 */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
