import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashStory, MOMENTS } from '../../support/fixtures/crash-story.js';

describe.each(['api', 'worker', 'webhooks', 'temporal', 'postgres', 'everything'] as const)(
  'kill -9 of %s',
  (victim) => {
    let story: CrashStory;

    beforeAll(async () => {
      story = await CrashStory.prepare();
      await story.begin();
      await story.crash(victim);
      await story.carryOn();
    });

    afterAll(() => story?.dispose());

    it('at six moments of a link loses none of them', () => {
      expect(story.sessions.map(({ moment }) => moment).sort()).toEqual([...MOMENTS].sort());
    });

    it('leaves every link in a legal state with each of its events once', () =>
      story.expectLegalStories());

    it('delivers every event, a repeated one with the same key and bytes', () =>
      story.expectAllDelivered());

    it('lets a cursor go on', () => story.expectCursorGoesOn());
  },
);
