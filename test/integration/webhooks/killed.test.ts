import { killAndGoOn } from './kill-points.js';

// All points: killed.long.test.ts.
describe('webhooks 12, check 11: a sender killed during an attempt loses nothing', () => {
  it('delivered, claim written', () => killAndGoOn('delivered', 'claim written'));
});
