import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ProviderFailure, type ProviderCause } from '../../domain/errors/provider-failure.js';
import {
  LINK_DELETION_WORKFLOW,
  linkDeletionStartOptions,
  linkDeletionWorkflowId,
  type LinkDeletionInput,
  type LinkDeletionResult,
} from '../../workflows/link-deletion/link-deletion.contract.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
  productRefreshWorkflowId,
} from '../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import {
  createFakeRefreshActivities,
  FakeRefresh,
  FETCH_PROVIDER,
} from './support/fake-refresh.js';
import { historyText, recordStory, TestTemporal } from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';
import { differencesOf } from './support/replay-live.js';
import type {
  DeletionActivities,
  RevocationActivities,
  RevocationResult,
} from '../../activities/deletion/deletion-activities.js';
import { failureOf } from '../../activities/failures.js';
import { withHeartbeats } from '../../activities/heartbeats.js';
import type { DeletionPlan } from '../../prisma/sources/permissions/revocation.repository.js';

const REVOKE_PROVIDER = 'fake-revoke';

type RevokeBehavior = (signal: AbortSignal) => RevocationResult | Promise<RevocationResult>;

const revoked: RevokeBehavior = () => ({ kind: 'revoked' });

/**
 * The permissions that a link left behind, as the database would keep them, and its bank as a
 * script.
 */
class FakeDeletion {
  deleted = true;
  /** The permissions that are still to be revoked, and the deadlines. */
  readonly left = new Map<string, { provider: string; giveUpInMs: number }>();
  readonly calls: string[] = [];
  bank: RevokeBehavior[] = [revoked];

  constructor(readonly linkId: string) {}

  leave(
    revocationId: string,
    {
      provider = REVOKE_PROVIDER,
      giveUpInMs = 60_000,
    }: { provider?: string; giveUpInMs?: number } = {},
  ): void {
    this.left.set(revocationId, { provider, giveUpInMs });
  }

  plan(): DeletionPlan {
    const revocations = [...this.left].map(([revocationId, facts]) => ({ revocationId, ...facts }));
    return {
      deleted: this.deleted,
      appId: 'demo',
      environment: 'sandbox',
      institutionId: 'fake-bank',
      revocations,
    };
  }
}

function createFakeDeletionActivities(links: Map<string, FakeDeletion>): {
  links: DeletionActivities;
  bank: RevocationActivities;
} {
  const leaving = (revocationId: string): FakeDeletion | undefined =>
    [...links.values()].find(({ left }) => left.has(revocationId));
  return {
    links: {
      async planDeletion(linkId) {
        links.get(linkId)?.calls.push('plan');
        return links.get(linkId)?.plan() ?? null;
      },
      async giveUpRevocation({ revocationId }) {
        const link = leaving(revocationId);
        link?.calls.push(`give up ${revocationId}`);
        link?.left.delete(revocationId);
      },
    },
    bank: {
      async revokePermission({ revocationId }) {
        const link = leaving(revocationId);
        if (link === undefined) return { kind: 'nothing_to_revoke' };
        link.calls.push(`revoke ${revocationId}`);
        const [behavior] = link.bank;
        if (behavior === undefined) throw new Error('the bank has no script');
        if (link.bank.length > 1) link.bank.shift();
        return withHeartbeats(async (signal) => {
          try {
            const result = await behavior(signal);
            link.left.delete(revocationId);
            return result;
          } catch (error) {
            throw failureOf(error);
          }
        });
      },
    },
  };
}

const failing =
  (cause: ProviderCause, retryAfterSeconds: number | null = null): RevokeBehavior =>
  () => {
    throw new ProviderFailure(cause, 'canary-remote-text', retryAfterSeconds);
  };
const hanging: RevokeBehavior = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });

describe.each(PASSES)('linkDeletion, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  const links = new Map<string, FakeDeletion>();
  const refreshes = new Map<string, FakeRefresh>();

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const [deletion, refresh] = [
      createFakeDeletionActivities(links),
      createFakeRefreshActivities(refreshes),
    ];
    await temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities: { ...deletion.links, ...refresh.links } },
        {
          taskQueue: providerQueue(REVOKE_PROVIDER),
          activities: deletion.bank,
          withoutWorkflows: true,
        },
        {
          taskQueue: providerQueue(FETCH_PROVIDER),
          activities: refresh.bank,
          withoutWorkflows: true,
        },
      ],
      { maxCachedWorkflows },
    );
  });
  afterAll(() => temporal.close());

  function newLink(): FakeDeletion {
    const link = new FakeDeletion(`mk_${randomUUID().slice(0, 8)}`);
    links.set(link.linkId, link);
    return link;
  }

  const request = (
    { linkId }: { linkId: string },
    input: Partial<LinkDeletionInput> = {},
  ): Promise<WorkflowHandle> =>
    temporal.client.workflow.signalWithStart(
      LINK_DELETION_WORKFLOW,
      linkDeletionStartOptions({ linkId, firstRetryMs: 20, longestRetryMs: 200, ...input }),
    );
  const resultOf = async (handle: WorkflowHandle): Promise<LinkDeletionResult> =>
    (await handle.result()) as LinkDeletionResult;
  const record = (handle: WorkflowHandle, story: string) =>
    pass === 'with its cache' ? recordStory(handle, 'link-deletion', story) : undefined;

  it('revokes the permissions that the link left behind, and is found by its search attributes', async () => {
    const link = newLink();
    link.leave(`${link.linkId}-a`);
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ revoked: 1, givenUp: 0 });
    expect(link.calls).toEqual(['plan', `revoke ${link.linkId}-a`]);
    expect((await handle.describe()).searchAttributes).toMatchObject({
      LinkId: [link.linkId],
      AppId: ['demo'],
      Environment: ['sandbox'],
      InstitutionId: ['fake-bank'],
    });
    expect(handle.workflowId).toBe(`link-deletion/${link.linkId}`);
  });

  it('completes at once for a link without a permission, and for one that no longer exists', async () => {
    const handle = await request(newLink());
    expect(await resultOf(handle)).toEqual({ revoked: 0, givenUp: 0 });
    const purged = await request({ linkId: `mk_${randomUUID().slice(0, 8)}` });
    expect(await resultOf(purged)).toEqual({ revoked: 0, givenUp: 0 });
  });

  it('retries while the bank is down, whatever the name of its failure', async () => {
    const link = newLink();
    link.leave(`${link.linkId}-a`);
    link.bank = [
      failing('institution_down'),
      failing('not_supported'),
      failing('internal'),
      revoked,
    ];
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ revoked: 1, givenUp: 0 });
    expect(link.calls.filter((call) => call.startsWith('revoke'))).toHaveLength(4);
    expect(await historyText(handle)).not.toContain('canary-remote-text');
    await record(handle, 'bank-away');
  });

  it('stops at its deadline and erases the credential nevertheless', async () => {
    const link = newLink();
    // More than a dozen attempts on an idle machine, and still three on a slow one.
    link.leave(`${link.linkId}-a`, { giveUpInMs: 10_000 });
    link.bank = [failing('institution_down')];
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ revoked: 0, givenUp: 1 });
    expect(link.calls.filter((call) => call.startsWith('revoke')).length).toBeGreaterThan(2);
    expect(link.calls.at(-1)).toBe(`give up ${link.linkId}-a`);
  });

  it('does not retry before the time that the provider set, and not at all when that is too late', async () => {
    const link = newLink();
    link.leave(`${link.linkId}-a`, { giveUpInMs: 10_000 });
    link.bank = [failing('rate_limited', 600)];
    expect(await resultOf(await request(link))).toEqual({ revoked: 0, givenUp: 1 });
    expect(link.calls).toEqual(['plan', `revoke ${link.linkId}-a`, `give up ${link.linkId}-a`]);
  });

  it('stops in time even when no worker serves the provider', async () => {
    const link = newLink();
    link.leave(`${link.linkId}-a`, { provider: 'not-served', giveUpInMs: 500 });
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ revoked: 0, givenUp: 1 });
  });

  it('revokes permissions left behind in the meantime, each of them once', async () => {
    const link = newLink();
    link.deleted = false;
    link.leave(`${link.linkId}-a`);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    link.bank = [
      async () => {
        await answered;
        return { kind: 'revoked' };
      },
      revoked,
    ];
    const handle = await request(link);
    await eventually(() => {
      expect(link.calls).toContain(`revoke ${link.linkId}-a`);
    });
    link.leave(`${link.linkId}-b`);
    await request(link);
    await request(link);
    await eventually(() => {
      expect(link.calls).toContain(`revoke ${link.linkId}-b`);
    });
    answer();
    expect(await resultOf(handle)).toEqual({ revoked: 2, givenUp: 0 });
    expect(link.calls.filter((call) => call.startsWith('revoke'))).toHaveLength(2);
    await record(handle, 'left-meanwhile');
  });

  it('ends the refresh of a deleted link and does not affect that of an existing link', async () => {
    const fetching = async (linkId: string): Promise<WorkflowHandle> => {
      const row = new FakeRefresh(linkId);
      row.requests = ['accounts'];
      row.bank.accounts = [
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      ];
      refreshes.set(linkId, row);
      const handle = await temporal.client.workflow.signalWithStart(
        PRODUCT_REFRESH_WORKFLOW,
        productRefreshStartOptions({
          linkId,
          fetchRetryForMs: 1_000,
          fetchRetryForSandboxMs: 1_000,
          firstRetryMs: 50,
        }),
      );
      await eventually(() => {
        expect(row.calls).toContain('fetch accounts');
      });
      return handle;
    };
    const link = newLink();
    const refresh = await fetching(link.linkId);
    const handle = await request(link);
    await resultOf(handle);
    await expect(refresh.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(
      (await temporal.client.workflow.getHandle(productRefreshWorkflowId(link.linkId)).describe())
        .status.name,
    ).toBe('CANCELLED');

    const living = newLink();
    living.deleted = false;
    const goesOn = await fetching(living.linkId);
    await resultOf(await request(living));
    expect((await goesOn.describe()).status.name).toBe('RUNNING');
    await goesOn.terminate();
  });

  it('can be canceled by an operator: the row is left to the sweeper', async () => {
    const link = newLink();
    link.leave(`${link.linkId}-a`);
    link.bank = [hanging];
    const handle = await request(link);
    await eventually(() => {
      expect(link.calls).toContain(`revoke ${link.linkId}-a`);
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(link.left.size).toBe(1);
  });

  it('replays deterministically', async () => {
    const handles = [...links.keys()].map((linkId) =>
      temporal.client.workflow.getHandle(linkDeletionWorkflowId(linkId)),
    );
    expect(handles.length).toBeGreaterThan(8);
    expect(await differencesOf(handles)).toEqual([]);
  });
});
