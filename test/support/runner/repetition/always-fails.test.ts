import { countRun } from './count-run.js';

it('fails in each run', () => {
  countRun('always-fails');
  throw new Error('as always');
});
