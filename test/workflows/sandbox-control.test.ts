import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import {
  SANDBOX_CONTROL_WORKFLOW,
  sandboxControlStartOptions,
  type SandboxAction,
  type SandboxControlResult,
} from '../../workflows/sandbox-control/sandbox-control.contract.js';
import {
  providerQueue,
  SANDBOX_LINKS_QUEUE,
  SANDBOX_QUEUE,
  WORLDS_QUEUE,
} from '../../workflows/task-queues.js';
import { historyText, recordStory, TestTemporal } from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';
import { differencesOf } from './support/replay-live.js';

const LINK = {
  kind: 'link',
  sessionId: 'ses_1',
  institutionId: 'fake-bank',
  loginWithinMs: 60_000,
} as const;

describe.each(PASSES)('sandboxControl, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  const started: WorkflowHandle[] = [];
  /** The actions, in order. */
  let done: string[];
  /** The outcome of the next login. */
  let login: () => Promise<unknown>;
  /** The outcomes of the next attempts of an advance. */
  let failures: Error[];
  /** The reason why linking cannot be finished. */
  let unfinished: Error | null;

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const links = {
      beginRedirectLogin: async () => ({
        linkId: 'mk_1',
        provider: 'fake',
        institutionId: 'fake-bank',
        attemptKey: 'ses_1/1',
        mayRepeat: true,
      }),
      failLogin: async ({ cause }: { cause: string }) => {
        done.push(`failed ${cause}`);
        return OVER;
      },
      cancelSession: async (sessionId: string) => {
        done.push(`ended ${sessionId}`);
      },
      finishLinking: async ({ granted, refs }: { granted: string[]; refs: string }) => {
        if (unfinished !== null) throw unfinished;
        done.push(`linked ${granted.join(' ')} / ${refs}`);
        return OVER;
      },
    };
    const bank = { logInWithoutPerson: async () => login() };
    const sandbox = {
      performSandboxRequest: async (requestId: string) => {
        done.push(`performed ${requestId}`);
        await login();
      },
      advanceWorld: async ({ worldId }: { worldId: string }) => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        done.push(`advanced ${worldId}`);
      },
      forgetWorld: async (sourceRef: string) => {
        done.push(`forgot ${sourceRef}`);
      },
    };
    await temporal.startWorkers(
      [
        { taskQueue: SANDBOX_LINKS_QUEUE, activities: links },
        { taskQueue: providerQueue('fake'), activities: bank, withoutWorkflows: true },
        { taskQueue: SANDBOX_QUEUE, activities: sandbox, withoutWorkflows: true },
        { taskQueue: WORLDS_QUEUE, activities: sandbox, withoutWorkflows: true },
      ],
      { maxCachedWorkflows },
    );
  });
  afterAll(() => temporal.close());
  beforeEach(() => {
    done = [];
    failures = [];
    unfinished = null;
    login = async () => ({ kind: 'linked', accounts: 2, questions: [] });
  });

  async function run(
    action: SandboxAction,
    requestId: string = randomUUID(),
  ): Promise<SandboxControlResult> {
    const handle = await temporal.client.workflow.start(
      SANDBOX_CONTROL_WORKFLOW,
      sandboxControlStartOptions({ requestId, action }),
    );
    started.push(handle);
    return (await handle.result()) as SandboxControlResult;
  }
  const record = (story: string) =>
    pass === 'with its cache' ? recordStory(last(), 'sandbox-control', story) : undefined;
  const last = (): WorkflowHandle => {
    const handle = started.at(-1);
    if (handle === undefined) throw new Error('nothing was started');
    return handle;
  };

  it('links with every product and account that the bank shows', async () => {
    expect(await run(LINK)).toEqual({ done: true });
    expect(done).toEqual([
      'linked accounts account_numbers identity transactions investments liabilities / all',
    ]);
    await record('link');
  });

  it('ends the login as its failure requires', async () => {
    login = () =>
      Promise.reject(
        ApplicationFailure.create({
          type: 'account_locked',
          message: 'locked',
          nonRetryable: true,
        }),
      );
    expect(await run(LINK)).toEqual({ done: false });
    expect(done).toEqual(['failed account_locked', 'ended ses_1']);
  });

  it('ends link and session when the bank accepted and linking cannot be completed', async () => {
    unfinished = ApplicationFailure.create({
      type: 'internal',
      message: 'away',
      nonRetryable: true,
    });
    expect(await run(LINK)).toEqual({ done: false });
    expect(done).toEqual(['failed internal', 'ended ses_1']);
  });

  it('ends a login that takes too long', async () => {
    let release: (value: unknown) => void = () => undefined;
    login = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    expect(await run({ ...LINK, loginWithinMs: 200 })).toEqual({ done: false });
    release(null);
    expect(done).toEqual(['failed institution_timeout', 'ended ses_1']);
  });

  it('runs a request once, and fails when the request fails', async () => {
    expect(await run({ kind: 'request' }, 'sbx_1')).toEqual({ done: true });
    await record('request');
    login = () =>
      Promise.reject(ApplicationFailure.create({ type: 'institution_down', message: 'away' }));
    await expect(run({ kind: 'request' }, 'sbx_2')).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(done).toEqual(['performed sbx_1', 'performed sbx_2']);
  });

  it('advances a world repeatedly until it has arrived', async () => {
    failures = [new Error('the worker was lost'), new Error('the database was away')];
    expect(
      await run({ kind: 'advance', appId: 'pocket-ledger', worldId: 'wld_1' }, 'wld_1'),
    ).toEqual({ done: true });
    expect(done).toEqual(['advanced wld_1']);
    expect((await last().describe()).searchAttributes).toMatchObject({
      AppId: ['pocket-ledger'],
      Environment: ['sandbox'],
    });
  });

  it('deletes a world at the bank', async () => {
    expect(await run({ kind: 'forget_world', sourceRef: 'wld_2' }, 'wld_2')).toEqual({
      done: true,
    });
    expect(done).toEqual(['forgot wld_2']);
  });

  it('has a history of ids without the contents of the request', async () => {
    for (const handle of started) expect((await historyText(handle)).length).toBeLessThan(40_000);
  });

  it('replays deterministically', async () => {
    expect(await differencesOf(started)).toEqual([]);
  });
});

const OVER = { state: 'succeeded', lookAgainInMs: null };
