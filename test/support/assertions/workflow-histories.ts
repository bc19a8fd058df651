import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { decodeHistory } from '../../../apps/operator/src/decode-history.js';
import type { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import type { TemporalClient } from '../../../apps/platform/src/temporal/temporal-client.js';

export interface ReadHistory {
  id: string;
  /** In the form in which Temporal stores it. */
  raw: string;
  decoded: string;
}

/** The history of every workflow of a namespace. */
export async function readHistories(
  { client }: Pick<TemporalClient, 'client'>,
  codec: EncryptingPayloadCodec,
): Promise<ReadHistory[]> {
  const found: ReadHistory[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const raw = historyToJSON(history);
    found.push({
      id: workflowId,
      raw,
      decoded: historyToJSON(
        decodeHistory(history, codec, { namespace: client.options.namespace, workflowId }),
      ),
    });
  }
  return found;
}
