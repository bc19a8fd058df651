import { readStory, recordedStories } from '../support/services/test-temporal.js';

const MAX_EVENTS_OF_A_LINK = 120;

describe.each(['link-session', 'reauthentication'])('Every recorded story of %s', (workflow) => {
  it.each(recordedStories(workflow))('%s stays below the limit of events', (story) => {
    const { events } = readStory(workflow, story) as { events: unknown[] };
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThan(MAX_EVENTS_OF_A_LINK);
  });
});
