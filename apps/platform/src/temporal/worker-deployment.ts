import type { Client } from '@temporalio/client';

/** The deployment name of all workers of a namespace, on any queue. */
export const DEPLOYMENT_NAME = 'tributary';

export interface WorkerVersions {
  /** The build that gets new work; null = workers without versioning get it. */
  current: string | null;
  /** The build that gets a share of new work; null = none. */
  ramping: { buildId: string | null; percentage: number } | null;
  versions: WorkerVersionState[];
}

export interface WorkerVersionState {
  buildId: string;
  state: 'current' | 'ramping' | 'draining' | 'drained' | 'inactive';
  createdAt: Date;
}

export interface MoveOptions {
  /** Accept that the version has no worker on queues that the current one works on. */
  ignoreMissingQueues?: boolean;
}

const NOT_FOUND = 5;
/** `VersionDrainageStatus` of Temporal's API. */
const DRAINING = 1;
const DRAINED = 2;

/** The versions of workers that Temporal knows, newest first; null = none was ever versioned. */
export async function readWorkerVersions(client: Client): Promise<WorkerVersions | null> {
  const info = await describe(client);
  if (info === null) return null;
  const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
    info.routingConfig ?? {};
  const current = currentDeploymentVersion?.buildId ?? null;
  const percentage = rampingVersionPercentage ?? 0;
  const ramping =
    percentage > 0 ? { buildId: rampingDeploymentVersion?.buildId ?? null, percentage } : null;
  const versions = (info.versionSummaries ?? []).map((summary): WorkerVersionState => {
    const buildId = summary.deploymentVersion?.buildId ?? '';
    return {
      buildId,
      state: stateOf(buildId, summary.drainageInfo?.status ?? 0, { current, ramping }),
      createdAt: new Date(Number(summary.createTime?.seconds ?? 0) * 1000),
    };
  });
  versions.sort((a, b) => Number(b.createdAt) - Number(a.createdAt));
  return { current, ramping, versions };
}

/** Routes new and upgraded work to this build from now on; null = to workers without versioning. */
export async function setCurrentVersion(
  client: Client,
  buildId: string | null,
  { ignoreMissingQueues = false }: MoveOptions = {},
): Promise<void> {
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: client.options.namespace,
    deploymentName: DEPLOYMENT_NAME,
    buildId: buildId ?? '',
    ignoreMissingTaskQueues: ignoreMissingQueues,
    identity: client.options.identity,
  });
}

/** Routes a share of new and upgraded work to this build; 0 ends it. */
export async function rampVersion(
  client: Client,
  buildId: string,
  percentage: number,
  { ignoreMissingQueues = false }: MoveOptions = {},
): Promise<void> {
  await client.workflowService.setWorkerDeploymentRampingVersion({
    namespace: client.options.namespace,
    deploymentName: DEPLOYMENT_NAME,
    buildId: percentage === 0 ? '' : buildId,
    percentage,
    ignoreMissingTaskQueues: ignoreMissingQueues,
    identity: client.options.identity,
  });
}

async function describe(client: Client) {
  try {
    const { workerDeploymentInfo } = await client.workflowService.describeWorkerDeployment({
      namespace: client.options.namespace,
      deploymentName: DEPLOYMENT_NAME,
    });
    return workerDeploymentInfo ?? null;
  } catch (error) {
    if ((error as { code?: number }).code === NOT_FOUND) return null;
    throw error;
  }
}

function stateOf(
  buildId: string,
  drainage: number,
  { current, ramping }: Pick<WorkerVersions, 'current' | 'ramping'>,
): WorkerVersionState['state'] {
  if (buildId === current) return 'current';
  if (buildId === ramping?.buildId) return 'ramping';
  if (drainage === DRAINING) return 'draining';
  return drainage === DRAINED ? 'drained' : 'inactive';
}
