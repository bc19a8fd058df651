import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/**
 * The memory that repetitions of `work` retain after small garbage collections although nothing
 * needs it anymore: bytes of the old generation per repetition. Some objects become old while
 * `work` runs, as in a long-running process. References from them to younger objects would retain
 * those as well.
 */
export async function retainedBytes(times: number, work: () => Promise<unknown>): Promise<number> {
  for (let time = 0; time < 50; time += 1) await work();
  collect();
  const pending = work();
  growOld();
  await pending;
  const before = oldGeneration();
  for (let time = 0; time < times; time += 1) await work();
  growOld();
  return (oldGeneration() - before) / times;
}

/** Objects that survive two small collections are old. */
function growOld(): void {
  for (let time = 0; time < 2; time += 1) collect({ type: 'minor' });
}

function oldGeneration(): number {
  return (
    v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
      ?.space_used_size ?? 0
  );
}
