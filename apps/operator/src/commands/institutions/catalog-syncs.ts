import { setTimeout } from 'node:timers/promises';
import {
  ScheduleNotFoundError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import {
  CATALOG_SYNC_WORKFLOW,
  catalogSyncId,
  catalogSyncStartOptions,
  type CatalogSyncProgress,
  type CatalogSyncResult,
} from '../../../../../workflows/catalog-sync/catalog-sync.contract.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import type { Service } from '../../service.js';

/** Time that a command waits for the end of syncs, which continue without it. */
export interface SyncPatience {
  /** A large list at a slow source takes minutes. */
  waitMs: number;
  /** Without any progress: the source is silent or fails, or no worker calls it. */
  idleMs: number;
  everyMs: number;
}

/** A silent source ends the command within a minute. */
const PATIENCE: SyncPatience = { waitMs: 600_000, idleMs: 45_000, everyMs: 1_000 };

/** A sync, as shown to operators. Counts that a refused or failed sync lacks are null. */
type ShownSync = {
  provider: string;
  result: string;
  listed: number | null;
  added: number | null;
  changed: number | null;
  gone: number | null;
  doubtful: number | null;
  ignored: number | null;
  unreadable: number | null;
};

/**
 * Syncs one configuration, or all in use, each by itself, and waits for the ends. `report` gets a
 * line for each change of a sync.
 * @throws CommandFailure when the configuration is unknown or not in use
 */
export async function syncCatalogs(
  { catalog, temporal }: Service,
  name: string | undefined,
  {
    acceptLosses,
    report,
    patience = PATIENCE,
  }: { acceptLosses: boolean; report: (line: string) => void; patience?: SyncPatience },
): Promise<ShownSync[]> {
  const inUse = await catalog.configurations();
  if (name !== undefined && !inUse.includes(name))
    throw new CommandFailure(
      (await catalog.environmentOf(name)) === null
        ? `There is no configuration ${name}.`
        : `The configuration ${name} is disabled or broken.`,
    );
  const client = await temporal();
  return Promise.all(
    (name === undefined ? inUse : [name]).map(async (configuration) => {
      const handle = await client.workflow.start(
        CATALOG_SYNC_WORKFLOW,
        catalogSyncStartOptions({ configuration, acceptLosses }),
      );
      const shown = await follow(client, handle, {
        configuration,
        patience,
        report: (text) => report(`${configuration}: ${text}`),
      });
      report(`${configuration}: ${shown.result}`);
      return shown;
    }),
  );
}

/** Waits for the end of a sync, for a shorter time when it makes no progress. */
async function follow(
  client: Client,
  handle: WorkflowHandle,
  {
    configuration,
    patience: { waitMs, idleMs, everyMs },
    report,
  }: { configuration: string; patience: SyncPatience; report: (text: string) => void },
): Promise<ShownSync> {
  const startedAt = Date.now();
  // A retry reads the same entries again, which is not progress.
  for (let last = '', most = 0, progressAt = startedAt; ;) {
    const { isOver, read, isStoring, isSilent, shown } = await look(client, handle, configuration);
    const now = Date.now();
    if (read > most || isStoring) [most, progressAt] = [Math.max(most, read), now];
    const isIdle = now - progressAt >= idleMs;
    if (isOver || isIdle || now - startedAt >= waitMs)
      return isIdle && isSilent ? { ...shown, result: silence(read, idleMs) } : shown;
    if (shown.result !== last) report((last = shown.result));
    await setTimeout(everyMs);
  }
}

function silence(read: number, idleMs: number): string {
  const seconds = Math.round(idleMs / 1_000);
  return `silent: nothing arrived for ${seconds} s after ${read} institutions. The sync continues.`;
}

/** The list of each provider, with its last sync, scheduled or requested. */
export async function lastSyncs({ catalog, temporal }: Service) {
  const [counts, names] = await Promise.all([catalog.counts(), catalog.configurations()]);
  const client = await temporal();
  const providers = [...new Set([...counts.map(({ provider }) => provider), ...names])].sort();
  return Promise.all(
    providers.map(async (provider) => {
      const { listed, gone, doubtful } = counts.find((count) => count.provider === provider) ?? {
        listed: 0,
        gone: 0,
        doubtful: 0,
      };
      return { provider, listed, gone, doubtful, ...(await lastSync(client, provider)) };
    }),
  );
}

async function lastSync(client: Client, configuration: string) {
  const requested = client.workflow.getHandle(catalogSyncId(configuration));
  const scheduled = await lastScheduled(client, configuration);
  const found = await Promise.all(
    [requested, ...(scheduled === null ? [] : [scheduled])].map((handle) =>
      orNull(look(client, handle, configuration)),
    ),
  );
  const [last] = found
    .filter((look) => look !== null)
    .sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime());
  if (last === undefined) return { last_sync: null, result: null };
  return { last_sync: last.startedAt.toISOString(), result: last.shown.result };
}

async function lastScheduled(client: Client, configuration: string) {
  const schedule = client.schedule.getHandle(catalogSyncId(configuration));
  const last = (await orNull(schedule.describe()))?.info.recentActions.at(-1);
  if (last === undefined) return null;
  const { workflowId, firstExecutionRunId } = last.action.workflow;
  return client.workflow.getHandle(workflowId, firstExecutionRunId);
}

/** Null for a sync that the Temporal server does not know, or no longer knows. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError || error instanceof WorkflowNotFoundError)
      return null;
    throw error;
  }
}

type Described = Awaited<ReturnType<WorkflowHandle['describe']>>;
type PendingActivity = NonNullable<Described['raw']['pendingActivities']>[number];

interface Look {
  startedAt: Date;
  isOver: boolean;
  /** The number of entries that arrived. */
  read: number;
  /** The list is complete. */
  isStoring: boolean;
  /** The source was called, and no try has failed. */
  isSilent: boolean;
  shown: ShownSync;
}

/** The state of a sync. Short calls only: a waiting call leaves a listener behind with each repetition. */
async function look(client: Client, handle: WorkflowHandle, configuration: string): Promise<Look> {
  const { status, startTime: startedAt, raw } = await handle.describe();
  if (status.name !== 'RUNNING')
    return {
      startedAt,
      isOver: true,
      read: 0,
      isStoring: false,
      isSilent: false,
      shown: present(configuration, await endOf(handle)),
    };
  const activity = raw.pendingActivities?.[0];
  const failure = await decodeOptionalFailureToOptionalError(
    client.options.loadedDataConverter,
    activity?.lastFailure,
  );
  const isAsked = Boolean(activity?.lastStartedTime);
  const { read, isComplete } = isAsked ? await progressOf(client, activity) : NOTHING_READ;
  return {
    startedAt,
    isOver: false,
    read,
    isStoring: isComplete,
    isSilent: isAsked && failure === undefined,
    shown: present(
      configuration,
      failure === undefined
        ? isAsked
          ? reading(read, isComplete)
          : 'waiting for a worker'
        : `failing: ${reasonOf(failure)} ${nextTry(activity?.scheduledTime)}`,
    ),
  };
}

const NOTHING_READ: CatalogSyncProgress = { read: 0, isComplete: false };

/** The last heartbeat of the activity. */
async function progressOf(
  client: Client,
  activity: PendingActivity | undefined,
): Promise<CatalogSyncProgress> {
  const [progress] =
    (await decodeArrayFromPayloads(
      client.options.loadedDataConverter,
      activity?.heartbeatDetails?.payloads,
    )) ?? [];
  return (progress as CatalogSyncProgress | undefined) ?? NOTHING_READ;
}

function reading(read: number, isComplete: boolean): string {
  if (isComplete) return `storing ${read} institutions`;
  return read === 0 ? 'reading the list' : `reading the list: ${read} institutions so far`;
}

function nextTry(at: Parameters<typeof optionalTsToDate>[0]): string {
  const date = optionalTsToDate(at);
  return date === undefined || date.getTime() <= Date.now()
    ? 'It is being tried again.'
    : `Next try at ${date.toISOString().replace(/\.\d+Z$/, 'Z')}.`;
}

async function endOf(handle: WorkflowHandle): Promise<CatalogSyncResult | string> {
  try {
    return (await handle.result()) as CatalogSyncResult;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return `failed: ${reasonOf(error)}`;
    throw error;
  }
}

/** The deepest cause: our own text for it. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

function present(provider: string, end: CatalogSyncResult | string): ShownSync {
  const none = {
    listed: null,
    added: null,
    changed: null,
    gone: null,
    doubtful: null,
    ignored: null,
    unreadable: null,
  };
  if (typeof end === 'string') return { provider, result: end, ...none };
  switch (end.kind) {
    case 'switched': {
      const { kind, ...counts } = end;
      return { provider, result: kind, ...counts };
    }
    case 'refused':
      return {
        provider,
        result: `refused: ${end.missing} of ${end.known} known institutions are missing`,
        ...none,
        listed: end.listed,
        ignored: end.ignored,
        unreadable: end.unreadable,
      };
    case 'no_configuration':
      return { provider, result: 'no configuration', ...none };
  }
}
