import { countRun } from './count-run.js';

it('fails in its first run', () => {
  if (countRun('fails-once') === 1) throw new Error('this once');
});

it('passes beside a failed test', () => undefined);
