import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** At least five: fewer do not show the spread. */
  rounds: number;
  json: string | undefined;
}

/** `--rounds N`, `--json FILE`. */
export function readOptions(argv: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { rounds: { type: 'string', default: '5' }, json: { type: 'string' } },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds must be a positive integer');
  return { rounds, json: values.json };
}
