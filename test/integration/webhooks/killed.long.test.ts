import { KILL_POINTS, killAndGoOn, type KillPoint, type KillStory } from './kill-points.js';

const ALL = (Object.entries(KILL_POINTS) as [KillStory, readonly KillPoint[]][]).flatMap(
  ([story, points]) => points.map((point): [KillStory, KillPoint] => [story, point]),
);

describe('webhooks 12, check 11: a sender killed at every point of an attempt', () => {
  it.each(ALL)('%s, %s', killAndGoOn);
});
