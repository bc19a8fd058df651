import { createHash } from 'node:crypto';

/**
 * Choices that depend on a seed alone, so that the same seed shows the same bank on every machine.
 */
export interface Draws {
  /** An integer, both ends included. */
  integer(lowest: number, highest: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Reads numbers from SHA-256 of the seed and a block counter. */
export function drawsFrom(seed: string): Draws {
  let block: Buffer = Buffer.alloc(0);
  let offset = 0;
  let counter = 0;

  function nextUint32(): number {
    if (offset >= block.length) {
      block = createHash('sha256').update(`${seed}\n${counter}`).digest();
      counter += 1;
      offset = 0;
    }
    const value = block.readUInt32BE(offset);
    offset += 4;
    return value;
  }

  function integer(lowest: number, highest: number): number {
    return lowest + (nextUint32() % (highest - lowest + 1));
  }

  return {
    integer,
    pick: ([first, ...others]) => others[integer(-1, others.length - 1)] ?? first,
  };
}
