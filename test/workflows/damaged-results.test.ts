import { randomUUID } from 'node:crypto';
import type { Payload, SerializationContext } from '@temporalio/common';
import { TemporalSessionWorkflows } from '../../apps/api/src/connect/session/session-workflows.js';
import {
  clientDataConverter,
  type TemporalClient,
} from '../../apps/platform/src/temporal/temporal-client.js';
import { WorkerPayloadCodec } from '../../apps/platform/src/temporal/worker-payload-codec.js';
import type { SessionRecord } from '../../prisma/links/sessions/session-record.js';
import { linkSessionWorkflowId } from '../../workflows/session/session.contract.js';
import { SANDBOX_LINKS_QUEUE } from '../../workflows/task-queues.js';
import { TestTemporal } from '../support/services/test-temporal.js';
import { createFakeActivities } from './support/fake-session-activities.js';
import { FakeSession } from './support/fake-session.js';

const MASTER_KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7) }] as const;
const RESULT_OF_UPDATE = /^\{"seq":\d+\}$/;

/**
 * Damages the results of Updates, as a client could that polls the task queue in place of a worker.
 */
class DamagingCodec extends WorkerPayloadCodec {
  override async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const encoded = await super.encode(payloads, context);
    return encoded.map((payload, index) => {
      const plain = Buffer.from(payloads[index]?.data ?? []).toString();
      return RESULT_OF_UPDATE.test(plain)
        ? { ...payload, data: Buffer.from(payload.data ?? []).reverse() }
        : payload;
    });
  }
}

describe('A damaged result of a message of Connect', () => {
  let temporal: TestTemporal;
  const sessions = new Map<string, FakeSession>();

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const { links } = createFakeActivities(sessions);
    await temporal.startWorkers([{ taskQueue: SANDBOX_LINKS_QUEUE, activities: links }], {
      dataConverter: { payloadCodecs: [new DamagingCodec(MASTER_KEYS)] },
    });
  });
  afterAll(() => temporal.close());

  it('makes the API respond with the step in the row', async () => {
    const sessionId = `ses_${randomUUID()}`;
    const row = new FakeSession();
    sessions.set(sessionId, row);
    const client = temporal.clientWith(clientDataConverter(MASTER_KEYS));
    const workflows = new TemporalSessionWorkflows({
      temporal: {
        client,
        isAvailable: () => Promise.resolve(true),
        unavailableReason: null,
      } as unknown as TemporalClient,
      softReplyMs: 10_000,
      deadlineMs: 30_000,
      stopping: new AbortController().signal,
    });
    const session = {
      sessionId,
      appId: 'demo',
      environment: 'sandbox',
      beganAs: 'link',
    } as SessionRecord;
    expect(await workflows.open(session, 'first')).toEqual({ kind: 'waiting' });
    expect(row.steps).toEqual(['select_institution']);
    await client.workflow.getHandle(linkSessionWorkflowId(sessionId)).terminate();
  });
});
