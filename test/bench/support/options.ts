import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** At least five: fewer do not show the spread. */
  rounds: number;
  json: string | undefined;
  /** True if a part of the bench is to be measured: all of them unless some are named. */
  wants: (part: string) => boolean;
}

/** `--rounds N`, `--json FILE`, `--part NAME` (any number of times). */
export function readOptions(argv: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string', default: '5' },
      json: { type: 'string' },
      part: { type: 'string', multiple: true },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds must be a positive integer');
  const { json, part: parts } = values;
  return { rounds, json, wants: (part) => parts === undefined || parts.includes(part) };
}
