import { countRun } from './count-run.js';

/** As a browser does: it must not keep the run alive. */
setInterval(() => undefined, 60_000);

it('fails in its first run', () => {
  if (countRun('fails-once') === 1) throw new Error('this once');
});

it('passes beside a failed test', () => undefined);
