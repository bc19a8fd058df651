import {
  ScheduleNotFoundError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  CATALOGUE_SYNC_WORKFLOW,
  catalogueSyncId,
  catalogueSyncStartOptions,
  type CatalogueSyncResult,
} from '../../../../workflows/catalogue-sync/catalogue-sync.contract.js';
import { CommandFailure } from '../command-failure.js';
import type { Service } from '../service.js';

/** A large list at a slow source takes minutes; the sync itself goes on. */
const WAIT_MS = 600_000;

/** A sync as an operator sees it. Counts that a refused or failed one does not have are null. */
type ShownSync = {
  provider: string;
  result: string;
  listed: number | null;
  added: number | null;
  changed: number | null;
  gone: number | null;
  doubtful: number | null;
  ignored: number | null;
};

/**
 * Syncs one configuration, or all in use, and waits for the ends.
 * @throws CommandFailure when the configuration is unknown or not in use
 */
export async function syncCatalogues(
  { catalogue, temporal }: Service,
  name: string | undefined,
  acceptLosses: boolean,
): Promise<ShownSync[]> {
  const inUse = await catalogue.configurations();
  if (name !== undefined && !inUse.includes(name))
    throw new CommandFailure(
      (await catalogue.environmentOf(name)) === null
        ? `There is no configuration ${name}.`
        : `The configuration ${name} is disabled or broken.`,
    );
  const client = await temporal();
  return Promise.all(
    (name === undefined ? inUse : [name]).map(async (configuration) => {
      const handle = await client.workflow.start(
        CATALOGUE_SYNC_WORKFLOW,
        catalogueSyncStartOptions({ configuration, acceptLosses }),
      );
      return present(configuration, await endOf(client, handle));
    }),
  );
}

/** What each provider lists, with the end of its last scheduled sync. */
export async function lastSyncs({ catalogue, temporal }: Service) {
  const [counts, names] = await Promise.all([catalogue.counts(), catalogue.configurations()]);
  const client = await temporal();
  const providers = [...new Set([...counts.map(({ provider }) => provider), ...names])].sort();
  return Promise.all(
    providers.map(async (provider) => {
      const { listed, gone, doubtful } = counts.find((count) => count.provider === provider) ?? {
        listed: 0,
        gone: 0,
        doubtful: 0,
      };
      return { provider, listed, gone, doubtful, ...(await lastScheduled(client, provider)) };
    }),
  );
}

async function lastScheduled(client: Client, configuration: string) {
  try {
    const { info } = await client.schedule.getHandle(catalogueSyncId(configuration)).describe();
    const last = info.recentActions.at(-1);
    if (last === undefined) return NEVER;
    const { workflowId, firstExecutionRunId } = last.action.workflow;
    const handle = client.workflow.getHandle(workflowId, firstExecutionRunId);
    const { status } = await handle.describe();
    return {
      last_sync: last.takenAt.toISOString(),
      result:
        status.name === 'RUNNING'
          ? 'running'
          : present(configuration, await endOf(client, handle)).result,
    };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError || error instanceof WorkflowNotFoundError)
      return NEVER;
    throw error;
  }
}

const NEVER = { last_sync: null, result: null };

async function endOf(
  client: Client,
  handle: WorkflowHandle,
): Promise<CatalogueSyncResult | string> {
  const waiting = AbortSignal.timeout(WAIT_MS);
  try {
    return await client.withAbortSignal(
      waiting,
      () => handle.result() as Promise<CatalogueSyncResult>,
    );
  } catch (error) {
    if (error instanceof WorkflowFailedError) return `failed: ${reasonOf(error)}`;
    if (waiting.aborted) return 'running';
    throw error;
  }
}

/** The deepest cause: our own text for it. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

function present(provider: string, end: CatalogueSyncResult | string): ShownSync {
  const none = {
    listed: null,
    added: null,
    changed: null,
    gone: null,
    doubtful: null,
    ignored: null,
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
      };
    case 'no_configuration':
      return { provider, result: 'no configuration', ...none };
  }
}
