import { fileURLToPath } from 'node:url';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import { PRODUCT_PHASES } from '../../domain/refresh/product-transitions.js';
import { RUN_PHASES } from '../../domain/refresh/run-transitions.js';
import { PHASES } from '../../domain/session/session-transitions.js';
import { installRuntime, readStory, recordedStories } from '../support/services/test-temporal.js';
import type { DetailsSinks } from './support/phase-interceptor.js';

const inTree = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The names that the details of the recorded workflows show, from the first group of a pattern. */
async function shownIn(workflows: readonly string[], pattern: RegExp): Promise<string[]> {
  installRuntime();
  const shown = new Set<string>();
  const sinks: InjectedSinks<DetailsSinks> = {
    details: {
      shown: {
        fn: (_, details) => {
          for (const [, name = ''] of details.matchAll(pattern)) shown.add(name);
        },
        callDuringReplay: true,
      },
    },
  };
  const histories = workflows.flatMap((workflow) =>
    recordedStories(workflow).map((story) => ({
      workflowId: `${workflow}/${story}`,
      history: readStory(workflow, story),
    })),
  );
  const replays = Worker.runReplayHistories(
    {
      workflowsPath: inTree('workflows/index.ts'),
      interceptors: { workflowModules: [inTree('test/workflows/support/phase-interceptor.ts')] },
      sinks,
    },
    histories,
  );
  for await (const { workflowId, error } of replays)
    expect({ workflowId, error }).toEqual({ workflowId, error: undefined });
  return [...shown].sort();
}

const PHASE = /^Phase: `(\w+)`\./g;
const PRODUCT_PHASE = /`\w+`: `(\w+)`/g;

it('Each phase of a session is entered in at least one recorded history', async () => {
  expect(await shownIn(['link-session', 'reauthentication'], PHASE)).toEqual([...PHASES].sort());
});

it('Each phase of a refresh run is entered in at least one recorded history', async () => {
  expect(await shownIn(['product-refresh'], PHASE)).toEqual([...RUN_PHASES].sort());
});

it('Each phase of a product is entered in at least one recorded history of a refresh', async () => {
  expect(await shownIn(['product-refresh'], PRODUCT_PHASE)).toEqual([...PRODUCT_PHASES].sort());
});
