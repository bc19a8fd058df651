import { spawnSync } from 'node:child_process';

/** Python's csv module: a reader that knows nothing of our writer. */
const READ = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8')
json.dump(list(csv.reader(io.StringIO(text, newline=''), strict=True)), sys.stdout)`;

export const hasPython = spawnSync('python3', ['-c', 'import csv']).status === 0;

/** The rows of a CSV text, cell by cell, as an independent reader understands it. */
export function readCsv(text: string): string[][] {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', READ], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[][];
}

/** The text of a cell as native-api 3.7 describes; null = an empty cell. */
export function textOf(cell: string): string | null {
  return cell === '' ? null : cell.replaceAll(/(?<=^|[;\t\r\n])'/g, '');
}
