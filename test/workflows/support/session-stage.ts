import { SANDBOX_LINKS_QUEUE, providerQueue } from '../../../workflows/task-queues.js';
import { createFakeActivities } from './fake-session-activities.js';
import { FAKE_PROVIDER, type FakeSession } from './fake-session.js';
import { PASSES } from './passes.js';
import { differencesOf } from './replay-live.js';
import { SessionUser } from './session-user.js';
import { recordStory, TestTemporal } from '../../support/services/test-temporal.js';

/** More events make the history of a link expensive to keep and to replay. */
export const MAX_EVENTS_OF_A_LINK = 120;

type SessionWorkflow = 'link-session' | 'reauthentication';

/** The tools of the tests of a workflow of Connect's sessions. */
export interface SessionStage {
  readonly temporal: TestTemporal;
  readonly sessions: Map<string, FakeSession>;
  /** All users who have arrived. */
  readonly users: readonly SessionUser[];
  arrive(softReplyMs?: number, mode?: 'link' | 'relink'): SessionUser;
  startWorkers(): Promise<void>;
  /** Keeps the history of the user's workflow as a story, once for both passes. */
  record(user: SessionUser, story: string): Promise<void>;
}

/** The same tests twice: with workflows that stay in memory, and, in long runs, replayed at every task. */
export function describeSessions(
  name: string,
  workflow: SessionWorkflow,
  tests: (stage: SessionStage) => void,
): void {
  describe.each(PASSES)(`${name}, %s`, (pass, maxCachedWorkflows) => {
    let temporal: TestTemporal;
    const sessions = new Map<string, FakeSession>();
    const users: SessionUser[] = [];
    const stage: SessionStage = {
      get temporal() {
        return temporal;
      },
      sessions,
      users,
      arrive: (softReplyMs, mode = workflow === 'link-session' ? 'link' : 'relink') => {
        const user = new SessionUser(temporal, sessions, softReplyMs, mode);
        users.push(user);
        return user;
      },
      startWorkers: () => {
        const { links, bank } = createFakeActivities(sessions);
        return temporal.startWorkers(
          [
            { taskQueue: SANDBOX_LINKS_QUEUE, activities: links },
            { taskQueue: providerQueue(FAKE_PROVIDER), activities: bank, withoutWorkflows: true },
          ],
          { maxCachedWorkflows },
        );
      },
      record: async (user, story) => {
        if (pass === 'with its cache') await recordStory(user.handle, workflow, story);
      },
    };
    beforeAll(async () => {
      temporal = await TestTemporal.open();
      await stage.startWorkers();
    });
    afterAll(() => temporal.close());
    tests(stage);

    it('replays deterministically', async () => {
      expect(users.length).toBeGreaterThan(0);
      expect(await differencesOf(users.map(({ handle }) => handle))).toEqual([]);
    });
  });
}
