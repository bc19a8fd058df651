import { killAndGoOn, type KillPoint, type KillStory } from './kill-points.js';

// All points: killed.long.test.ts.
describe('webhooks 12, check 11: a sender killed during an attempt loses nothing', () => {
  it.each<[KillStory, KillPoint]>([
    ['delivered', 'claim written'],
    ['failed', 'workflow requested'],
  ])('%s, %s', killAndGoOn);
});
