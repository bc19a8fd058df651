import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import type { MasterKey } from '../../../prisma/base/sealing/master-keyring.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

type Damage = (payload: Payload, ofAnotherWorkflow: Payload) => Payload;

const bytesOf = ({ data }: Payload): Buffer => Buffer.from(data ?? []);
const flipped =
  (index: number): Damage =>
  (payload) => {
    const data = bytesOf(payload);
    const at = index < 0 ? data.length + index : index;
    data[at] = (data[at] ?? 0) ^ 1;
    return { ...payload, data };
  };
const cutTo =
  (length: number): Damage =>
  (payload) => ({ ...payload, data: bytesOf(payload).subarray(0, length) });
const metadata =
  (changed: Record<string, Uint8Array | undefined>): Damage =>
  (payload) => ({ ...payload, metadata: { ...payload.metadata, ...changed } as never });

/**
 * A payload that a client of the Temporal server without the master keys can send in place of one
 * that it has seen.
 */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  'a changed ciphertext': flipped(-1),
  'a changed authentication tag': flipped(IV_BYTES),
  'a changed initialization vector': flipped(0),
  'no ciphertext': cutTo(IV_BYTES + TAG_BYTES),
  'half a tag': cutTo(IV_BYTES + TAG_BYTES / 2),
  'no bytes': cutTo(0),
  'the payload of another workflow': (_, other) => other,
  'the payload of another workflow under the name of this one': (payload, other) =>
    metadata({ 'encryption-place': payload.metadata?.['encryption-place'] })(other, payload),
  'a place that is not JSON': metadata({ 'encryption-place': Buffer.from([0xff, 0xfe]) }),
  'no place': metadata({ 'encryption-place': Buffer.alloc(0) }),
  'plain text': () => defaultPayloadConverter.toPayload({ plain: true }) as Payload,
  'an unknown encoding': metadata({ encoding: Buffer.from('binary/unknown') }),
  'no metadata': (payload) => ({ data: bytesOf(payload) }),
};

/** A payload that the service creates for `workflowId`. */
export async function sealedFor(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
  namespace: string,
  workflowId: string,
  value: unknown,
): Promise<Payload> {
  const [payload] = await new EncryptingPayloadCodec(masterKeys).encode(
    [defaultPayloadConverter.toPayload(value) as Payload],
    { type: 'workflow', namespace, workflowId },
  );
  return payload as Payload;
}

/** Every kind of damage to a payload that was created for `workflowId`. */
export async function damagedPayloads(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
  namespace: string,
  workflowId: string,
): Promise<(readonly [string, Payload])[]> {
  const own = await sealedFor(masterKeys, namespace, workflowId, { own: true });
  const other = await sealedFor(masterKeys, namespace, `${workflowId}-2`, { other: true });
  return Object.entries(DAMAGES).map(([name, damage]) => [name, damage(own, other)] as const);
}
