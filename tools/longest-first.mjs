import TestSequencer from '@jest/test-sequencer';

/** Levels whose files take long come first: nobody likes to wait for one file at the end while the other cores are idle. */
const LONG_LEVELS = ['e2e', 'browser', 'workflows', 'integration', 'sdk'];

/** Within a level as Jest does: what failed, then what took longest, then the largest file. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ context }) {
  const place = LONG_LEVELS.indexOf(context.config.displayName.name);
  return place === -1 ? LONG_LEVELS.length : place;
}
