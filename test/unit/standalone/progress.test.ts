import { PassThrough } from 'node:stream';
import { createProgress } from '../../../apps/standalone/src/progress.js';

describe('The progress of a start', () => {
  it('is written as lines to a terminal that has no size', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
    await createProgress(terminal as unknown as NodeJS.WriteStream).during(
      'Starting PostgreSQL',
      Promise.resolve(),
    );
    expect(String(terminal.read())).toBe('  Starting PostgreSQL …\n');
  });
});
