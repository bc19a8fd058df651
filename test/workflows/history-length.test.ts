import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordedStories } from './support/temporal.js';

const MOST_EVENTS_OF_A_LINK = 120;

describe.each(['link-session', 'reauthentication'])('every recorded story of %s', (workflow) => {
  it.each(recordedStories(workflow))('%s is short', (story) => {
    const file = new URL(`./histories/${workflow}/${story}.json`, import.meta.url);
    const { events } = JSON.parse(readFileSync(file, 'utf8')) as { events: unknown[] };
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThan(MOST_EVENTS_OF_A_LINK);
  });
});
