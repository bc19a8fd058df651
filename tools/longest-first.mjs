import { relative, sep } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Levels whose files take long come first: nobody likes to wait for one file at the end while the other cores are idle. */
const LONG_LEVELS = ['e2e', 'browser', 'workflows', 'integration', 'sdk'];

/** Within a level as Vitest does: what failed, then what took longest, then the largest file. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const root = this.ctx.config.root;
    return (await super.sort(files)).sort((a, b) => rank(root, a) - rank(root, b));
  }
}

function rank(root, { moduleId }) {
  const [, level] = relative(root, moduleId).split(sep);
  const place = LONG_LEVELS.indexOf(level);
  return place === -1 ? LONG_LEVELS.length : place;
}
