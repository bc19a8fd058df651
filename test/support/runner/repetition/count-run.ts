import { appendFileSync, readFileSync } from 'node:fs';

/** @returns how many times this test has run, this one included */
export function countRun(name: string): number {
  const file = process.env['REPETITION_RUNS'];
  if (file === undefined) throw new Error('REPETITION_RUNS must name a file');
  appendFileSync(file, `${name}\n`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line === name).length;
}
