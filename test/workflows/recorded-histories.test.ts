import { readdirSync } from 'node:fs';
import { WORKFLOWS } from '../../workflows/workflow-list.contract.js';
import { replayStories, recordedStories } from '../support/services/test-temporal.js';

const FOLDERS = readdirSync(new URL('histories', import.meta.url));

describe('The recorded histories', () => {
  const stories = FOLDERS.flatMap((workflow) =>
    recordedStories(workflow).map((story) => ({ workflow, story })),
  );
  let differences: Map<string, Error | undefined>;
  beforeAll(async () => {
    differences = await replayStories(stories);
  });

  it.each(WORKFLOWS.map(({ type }) => type))('exist for each workflow: %s', (type) => {
    const folder = type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(stories.map(({ workflow }) => workflow)).toContain(folder);
  });

  it.each(stories.map(({ workflow, story }) => `${workflow}/${story}`))(
    'replay without a difference: %s',
    (name) => {
      expect([...differences.keys()]).toContain(name);
      expect(differences.get(name)).toBeUndefined();
    },
  );
});
