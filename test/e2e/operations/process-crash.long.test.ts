import { CrashStory, MOMENTS } from './support/crash-story.js';

describe.each(['api', 'worker', 'webhooks', 'temporal', 'postgres', 'everything'] as const)(
  'Killing %s',
  (victim) => {
    let story: CrashStory;

    beforeAll(async () => {
      story = await CrashStory.prepare();
      await story.begin();
      await story.crash(victim);
      await story.completeAll();
    });

    afterAll(() => story?.dispose());

    it('at six moments of a link loses none of the links', () => {
      expect(story.sessions.map(({ moment }) => moment).sort()).toEqual([...MOMENTS].sort());
    });

    it('leaves every link in a valid state with each of its events once', () =>
      story.expectValidStories());

    it('delivers every event, and repeats use the same key and bytes', () =>
      story.expectAllDelivered());

    it('lets a sync cursor continue', () => story.expectCursorContinues());
  },
);
