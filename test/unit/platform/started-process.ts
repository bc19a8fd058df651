import type { Logger } from 'pino';
import { runProcess } from '../../../apps/platform/src/process/run-process.js';

// A process with two parts for run-process.test.ts. It prints each event on a line of its own.
const print = (line: string) => process.stdout.write(`${line}\n`);
const log = (_fields: object, message: string) => print(message);
const logger = { info: log, warn: log, error: log, fatal: log } as unknown as Logger;
const [scenario] = process.argv.slice(2);

await runProcess({
  name: 'sample',
  load: () => {
    if (scenario === 'bad settings') throw new Error('PORT is missing');
    return { settings: {}, logger };
  },
  start: async ({ onStop, fail }) => {
    onStop(async () => print('first stopped'));
    if (scenario === 'start fails') throw new Error('no database');
    onStop(async () => {
      print('second stopped');
      if (scenario === 'stop fails') throw new Error('still busy');
    });
    setInterval(() => undefined, 1_000);
    if (scenario !== 'stray output') print('started');
    if (scenario === 'fails later') fail(new Error('lost the queue'));
    if (scenario === 'stray output') {
      console.warn('straying words');
      process.emitWarning('straying warning');
      setImmediate(() => print('started'));
      return;
    }
    if (scenario === 'exception')
      setImmediate(() => {
        throw new Error('unforeseen');
      });
    if (scenario === 'rejection') void Promise.reject(new Error('forgotten'));
  },
});
