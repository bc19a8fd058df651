import type { Sample } from './rounds.js';

/**
 * Runs one after the other, like the batches of a link; the processor time is that of this
 * process.
 */
export async function timed<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<Sample> {
  const [startedAt, processor] = [performance.now(), process.cpuUsage()];
  for (const item of items) await work(item);
  const { user, system } = process.cpuUsage(processor);
  return {
    perSecond: (items.length * 1000) / (performance.now() - startedAt),
    cpuMs: (user + system) / 1000 / items.length,
  };
}
