/** One step of a walk through a table. */
interface Step {
  removed: number;
  /** The key from which the next step continues; null = the walk is at the end. */
  next: bigint | null;
}

/**
 * A task whose rows no index finds: each round takes one step through the table, and a walk that has
 * reached the end starts again. A restart begins at the start, which repeats only reads.
 */
export function walk(
  step: (now: Date, after: bigint) => Promise<Step>,
): (now: Date) => Promise<number> {
  let after = 0n;
  return async (now) => {
    const { removed, next } = await step(now, after);
    after = next ?? 0n;
    return removed;
  };
}
