import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import { PayloadRefused } from '../../../apps/platform/src/temporal/payload-place.js';
import { REFUSED_INPUT } from '../../../apps/platform/src/temporal/refused-input.js';
import { WorkerPayloadCodec } from '../../../apps/platform/src/temporal/worker-payload-codec.js';
import { catalogSyncId } from '../../../workflows/catalog-sync/catalog-sync.contract.js';
import { periodicAggregationId } from '../../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { productRefreshWorkflowId } from '../../../workflows/product-refresh/product-refresh.contract.js';
import { SIGNING_KEY_SCHEDULE } from '../../../workflows/signing-key-rotation/signing-key-rotation.contract.js';

const [old, current] = [
  { id: 'k1', key: randomBytes(32) },
  { id: 'k2', key: randomBytes(32) },
];
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) as Payload;
const valueOf = (payload: Payload | undefined): unknown =>
  defaultPayloadConverter.fromPayload(payload as Payload);
const workflow = (workflowId: string, namespace = 'default') =>
  ({ type: 'workflow', namespace, workflowId }) as const;
const activity = (workflowId: string | undefined) =>
  ({
    type: 'activity',
    namespace: 'default',
    isLocal: true,
    ...(workflowId && { workflowId }),
  }) as const;

const codec = new EncryptingPayloadCodec([current, old]);
const HERE = workflow('product-refresh/lnk_1');
const sealed = async (value: unknown, at: Parameters<typeof codec.encode>[1] = HERE) =>
  (await codec.encode([payloadOf(value)], at))[0] as Payload;

describe('An encrypted payload', () => {
  it.each([
    [{ sessionId: 'ses_1', seq: 3 }],
    ['text'],
    [0],
    [null],
    [[1, 2]],
    [Uint8Array.from([0, 255])],
    [undefined],
  ])('is decoded in its workflow as it was encoded: %j', async (value) => {
    const payload = await sealed(value);
    expect(Buffer.from(payload.data ?? []).toString('latin1')).not.toContain('ses_1');
    expect(Buffer.from(payload.metadata?.['encoding'] ?? []).toString()).toBe('binary/encrypted');
    expect(valueOf((await codec.decode([payload], HERE))[0])).toEqual(value);
  });

  it('names its key, is encrypted with the first key and decrypted with all of them', async () => {
    const [older] = await new EncryptingPayloadCodec([old]).encode([payloadOf('kept')], HERE);
    expect(Buffer.from(older?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k1');
    expect(valueOf((await codec.decode([older as Payload], HERE))[0])).toBe('kept');
    const newer = await sealed('kept');
    expect(Buffer.from(newer.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k2');
    await expect(new EncryptingPayloadCodec([old]).decode([newer], HERE)).rejects.toThrow(
      /"k2".*MASTER_KEYS/,
    );
  });

  it('is readable in the activities of its workflow, and their results in the workflow', async () => {
    const ofActivity = await sealed('result', activity(HERE.workflowId));
    expect(valueOf((await codec.decode([ofActivity], HERE))[0])).toBe('result');
    const ofWorkflow = await sealed('argument');
    expect(valueOf((await codec.decode([ofWorkflow], activity(HERE.workflowId)))[0])).toBe(
      'argument',
    );
  });

  it.each([
    ['another workflow', workflow('product-refresh/lnk_2')],
    ['another namespace', workflow('product-refresh/lnk_1', 'other')],
    ['an activity of another workflow', activity('product-refresh/lnk_2')],
    ['an activity of no workflow', activity(undefined)],
    [
      'a workflow whose id only looks scheduled',
      workflow(`${HERE.workflowId}-2026-01-01T00:00:00Z`),
    ],
  ])('is refused in %s', async (_where, context) => {
    await expect(codec.decode([await sealed('secret')], context)).rejects.toThrow(PayloadRefused);
  });

  it('cannot be moved by changing the workflow that it names', async () => {
    const payload = await sealed('secret');
    const metadata = {
      ...payload.metadata,
      'encryption-place': Buffer.from(JSON.stringify(['default', 'product-refresh/lnk_2'])),
    };
    await expect(
      codec.decode([{ ...payload, metadata }], workflow('product-refresh/lnk_2')),
    ).rejects.toThrow(PayloadRefused);
  });

  it('is refused after a change of its bytes, and under a key of the same name', async () => {
    const payload = await sealed('secret');
    const data = Buffer.from(payload.data ?? []);
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
    await expect(codec.decode([{ ...payload, data }], HERE)).rejects.toThrow(PayloadRefused);
    const other = new EncryptingPayloadCodec([{ id: 'k2', key: randomBytes(32) }]);
    await expect(other.decode([payload], HERE)).rejects.toThrow(PayloadRefused);
  });

  it.each([catalogSyncId('bank'), periodicAggregationId(3), SIGNING_KEY_SCHEDULE])(
    'of the Schedule %s is readable in the workflows that it starts, and in no other',
    async (id) => {
      const payload = await sealed('argument', workflow(id));
      const started = workflow(`${id}-2026-11-25T18:00:00Z`);
      expect(valueOf((await codec.decode([payload], started))[0])).toBe('argument');
      await expect(codec.decode([payload], workflow(`${id}-later`))).rejects.toThrow(
        PayloadRefused,
      );
    },
  );
});

describe('A payload that the service did not encrypt', () => {
  it.each([
    ['plain', payloadOf('plain')],
    ['without metadata', { data: Buffer.from('"plain"') }],
    [
      'encrypted without a place',
      { metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.alloc(40) },
    ],
  ])('is refused, with an error that does not quote it: %s', async (_kind, payload) => {
    const refusal = codec.decode([payload], HERE);
    await expect(refusal).rejects.toThrow(PayloadRefused);
    await expect(refusal).rejects.not.toThrow('plain"');
  });

  it('is shown to users who read a history', () => {
    expect(valueOf(codec.open(payloadOf('search attribute')))).toBe('search attribute');
  });
});

describe('The codec of workers', () => {
  const ofWorker = new WorkerPayloadCodec([current]);

  it('replaces refused input of a workflow with a stand-in for each payload', async () => {
    const foreign = await sealed('secret', workflow(productRefreshWorkflowId('lnk_2')));
    const decoded = await ofWorker.decode([payloadOf('plain'), foreign], HERE);
    expect(decoded.map(valueOf)).toEqual([REFUSED_INPUT, REFUSED_INPUT]);
  });

  it('replaces damaged input and results of activities with a stand-in', async () => {
    const { data, metadata } = await sealed('result', activity(HERE.workflowId));
    const damaged = { metadata: metadata ?? {}, data: Buffer.from(data ?? []).subarray(1) };
    const decoded = await ofWorker.decode([damaged], activity(HERE.workflowId));
    expect(decoded.map(valueOf)).toEqual([REFUSED_INPUT]);
  });

  it('fails while a key is missing', async () => {
    const [older] = await new EncryptingPayloadCodec([old]).encode([payloadOf('kept')], HERE);
    await expect(ofWorker.decode([older as Payload], HERE)).rejects.toThrow(/"k1".*MASTER_KEYS/);
  });
});
