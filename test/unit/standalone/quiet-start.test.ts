import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { QuietStart } from '../../../apps/standalone/src/supervision/quiet-start.js';

const LINES = [
  '[20:32:45.965] INFO (worker): worker.started',
  '[20:32:45.965] \u001b[32mINFO\u001b[39m (api): api.listening',
  '[20:32:45.965] WARN (api): late',
  'plain text',
];

/** What a terminal shows of a process that prints these lines to both of its streams. */
async function shownBy(quiet: QuietStart, terminal: Record<'stdout' | 'stderr', PassThrough>) {
  const print = (stream: string) => `process.${stream}.write(${JSON.stringify(LINES.join('\n'))});`;
  const part = spawn(process.execPath, ['-e', print('stdout') + print('stderr')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  quiet.passOn(part);
  await once(part, 'close');
  return [terminal.stdout, terminal.stderr].map((stream) => String(stream.read()).split('\n'));
}

describe('The output of the parts of npm start', () => {
  it('has warnings and plain text until everything is ready, and all lines after it', async () => {
    const terminal = { stdout: new PassThrough(), stderr: new PassThrough() };
    const quiet = new QuietStart(terminal);
    const before = [...LINES.slice(2), ''];
    expect(await shownBy(quiet, terminal)).toEqual([before, before]);
    quiet.ready();
    const after = [...LINES, ''];
    expect(await shownBy(quiet, terminal)).toEqual([after, after]);
  });
});
