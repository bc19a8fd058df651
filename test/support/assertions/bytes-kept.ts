import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/**
 * What small collections leave behind of `work`, done `times` times, though nobody needs it any more: bytes of the old
 * generation for each. Some of it grows old while it is under way, as in a process that runs for long: what refers from
 * there to what comes later would keep all of that.
 */
export async function bytesKept(times: number, work: () => Promise<unknown>): Promise<number> {
  for (let time = 0; time < 50; time += 1) await work();
  collect();
  const underWay = work();
  growOld();
  await underWay;
  const before = oldGeneration();
  for (let time = 0; time < times; time += 1) await work();
  growOld();
  return (oldGeneration() - before) / times;
}

/** What survives two small collections is old. */
function growOld(): void {
  for (let time = 0; time < 2; time += 1) collect({ type: 'minor' });
}

function oldGeneration(): number {
  return (
    v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
      ?.space_used_size ?? 0
  );
}
