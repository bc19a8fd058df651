import { hkdfSync, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { decrypt, encrypt, type RandomSource } from '../../../../prisma/base/sealing/aes-gcm.js';
import type { MasterKey } from '../../../../prisma/base/sealing/master-keyring.js';
import { boundId, placeOf, PayloadRefused, type PayloadPlace } from './payload-place.js';
import { deserialize, serialize } from './serialized-payload.js';

/** Metadata of an encrypted payload, by which tools recognize it and find its key and its owner. */
const ENCODING = 'binary/encrypted';
const CIPHER = Buffer.from('AES-256-GCM');
const KEY_ID = 'encryption-key-id';
/** Namespace and workflow as JSON: not secret, but authenticated. */
const PLACE = 'encryption-place';
/** Changing it makes every running workflow unreadable. */
const PURPOSE = 'temporal payloads, version 2';

/**
 * Encrypts the payloads of workflows before they leave the process, each for one namespace and workflow. The keys are
 * derived from the master keys, only for this purpose: the first one encrypts, the others still decrypt.
 */
export class EncryptingPayloadCodec implements PayloadCodec {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly current: { id: string; key: Buffer };

  constructor(
    masterKeys: readonly [MasterKey, ...MasterKey[]],
    private readonly random: RandomSource = randomBytes,
  ) {
    const [first] = masterKeys;
    this.keys = new Map(masterKeys.map(({ id, key }) => [id, derive(key)]));
    this.current = { id: first.id, key: derive(first.key) };
  }

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => this.encrypt(payload, placeOf(context)));
  }

  /**
   * @throws PayloadRefused for a payload that no process of the service created, or one created for another workflow
   * @throws Error when its key is not among the master keys, which an operator can restore
   */
  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => {
      if (!isEncrypted(payload)) throw new PayloadRefused('not encrypted by this service');
      return this.open(payload, context === undefined ? undefined : placeOf(context));
    });
  }

  /**
   * For people who read a history: Temporal's own payloads, such as search attributes, are not encrypted and pass.
   *
   * @throws PayloadRefused when it belongs to another namespace or workflow than the given one, or is damaged
   * @throws Error when its key is not among the master keys
   */
  open(payload: Payload, at: Partial<PayloadPlace> = {}): Payload {
    if (!isEncrypted(payload)) return payload;
    const { metadata, data } = payload;
    const place = Buffer.from(metadata?.[PLACE] ?? []);
    const id = Buffer.from(metadata?.[KEY_ID] ?? []).toString();
    const owner = readPlace(place);
    const isForeign = (name: keyof PayloadPlace, wanted: string | undefined): boolean =>
      wanted !== undefined && wanted !== owner[name];
    if (isForeign('namespace', at.namespace) || isForeign('workflowId', boundId(at.workflowId)))
      throw new PayloadRefused('made for another workflow');
    const key = this.keys.get(id);
    if (key === undefined)
      throw new Error(
        `No master key "${id}" to decrypt a workflow payload with; it must stay in MASTER_KEYS.`,
      );
    try {
      return deserialize(decrypt(key, associatedData(id, place), data ?? new Uint8Array()));
    } catch (cause) {
      throw new PayloadRefused('damaged, or encrypted with another key of this name', { cause });
    }
  }

  private encrypt(payload: Payload, { namespace, workflowId }: PayloadPlace): Payload {
    const { id, key } = this.current;
    const place = Buffer.from(JSON.stringify([namespace, workflowId]));
    return {
      metadata: {
        encoding: Buffer.from(ENCODING),
        'encryption-cipher': CIPHER,
        [KEY_ID]: Buffer.from(id),
        [PLACE]: place,
      },
      data: encrypt(key, associatedData(id, place), serialize(payload), this.random),
    };
  }
}

const derive = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), PURPOSE, 32));

const associatedData = (keyId: string, place: Buffer): Buffer =>
  Buffer.from(JSON.stringify([keyId, place.toString()]));

const isEncrypted = ({ metadata }: Payload): boolean =>
  Buffer.from(metadata?.['encoding'] ?? []).toString() === ENCODING;

function readPlace(bytes: Buffer): PayloadPlace {
  try {
    const [namespace, workflowId] = JSON.parse(bytes.toString()) as [string, string];
    return { namespace, workflowId };
  } catch {
    throw new PayloadRefused('not encrypted by this version of the service');
  }
}
