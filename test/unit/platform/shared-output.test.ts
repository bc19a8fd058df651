import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WRITER = fileURLToPath(new URL('writing-processes.ts', import.meta.url));
/** Reads a pipe in small pieces, with a pause after each. */
const SLOW_READER = `
  const { readSync } = require('node:fs');
  const piece = Buffer.alloc(6_000), rest = new Int32Array(new SharedArrayBuffer(4)), lines = [];
  for (let length; (length = readSync(0, piece)) > 0; Atomics.wait(rest, 0, 0, 0.4)) lines.push(piece.toString('latin1', 0, length));
  process.stdout.write(lines.join(''));`;

describe('The log of processes that share their output', () => {
  it('contains every line of each process completely, however slowly it is read', async () => {
    const { stdout } = await run(
      'sh',
      [
        '-c',
        '"$NODE" --import @swc-node/register/esm-register "$WRITER" | "$NODE" -e "$SLOW_READER"',
      ],
      {
        env: { ...process.env, NODE: process.execPath, WRITER, SLOW_READER },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const written = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event_id: string }).event_id);
    expect({ written: written.length, distinctWritten: new Set(written).size }).toEqual({
      written: 4_000,
      distinctWritten: 4_000,
    });
  });
});
