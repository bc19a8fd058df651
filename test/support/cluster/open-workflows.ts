import { readSettings } from '../../../apps/platform/src/config/settings.js';
import {
  openTemporalClient,
  type TemporalClient,
} from '../../../apps/platform/src/temporal/temporal-client.js';
import { temporalPlace } from '../../../apps/platform/src/temporal/temporal-place.js';
import type { ServiceOnCluster } from './service-on-cluster.js';

/** A client of the cluster with the settings of the service. */
export function temporalOf(service: ServiceOnCluster): TemporalClient {
  const settings = readSettings(service.env, 'api');
  return openTemporalClient({ ...temporalPlace(settings), masterKeys: settings.masterKeys });
}

/** The workflows that have not finished, as "type id", except for those of schedules themselves. */
export async function openWorkflows({ client }: TemporalClient): Promise<string[]> {
  const open: string[] = [];
  for await (const { type, workflowId } of client.workflow.list({
    query: "ExecutionStatus = 'Running'",
  }))
    open.push(`${type} ${workflowId}`);
  return open.sort();
}
