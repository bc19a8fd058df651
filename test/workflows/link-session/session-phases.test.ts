import { fileURLToPath } from 'node:url';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import { PHASES } from '../../../domain/session/session-transitions.js';
import {
  installRuntime,
  readStory,
  recordedStories,
} from '../../support/services/test-temporal.js';
import type { DetailsSinks } from '../support/phase-interceptor.js';

const inTree = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const PHASE_SHOWN = /^Phase: `(\w+)`\./;

it('Each phase of a session is entered in at least one recorded history', async () => {
  installRuntime();
  const entered = new Set<string>();
  const sinks: InjectedSinks<DetailsSinks> = {
    details: {
      shown: {
        fn: (_, details) => {
          const [, phase] = PHASE_SHOWN.exec(details) ?? [];
          if (phase !== undefined) entered.add(phase);
        },
        callDuringReplay: true,
      },
    },
  };
  const histories = (['link-session', 'reauthentication'] as const).flatMap((workflow) =>
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
  expect([...entered].sort()).toEqual([...PHASES].sort());
});
