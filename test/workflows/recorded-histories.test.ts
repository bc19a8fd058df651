import { readdirSync } from 'node:fs';
import { replayStories, recordedStories } from '../support/services/test-temporal.js';

const WORKFLOWS = readdirSync(new URL('histories', import.meta.url));

describe('The recorded histories', () => {
  const stories = WORKFLOWS.flatMap((workflow) =>
    recordedStories(workflow).map((story) => ({ workflow, story })),
  );
  let differences: Map<string, Error | undefined>;
  beforeAll(async () => {
    differences = await replayStories(stories);
  });

  it.each(stories.map(({ workflow, story }) => `${workflow}/${story}`))(
    'replay without a difference: %s',
    (name) => {
      expect([...differences.keys()]).toContain(name);
      expect(differences.get(name)).toBeUndefined();
    },
  );
});
