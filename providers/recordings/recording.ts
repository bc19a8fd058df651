import { createHash } from 'node:crypto';
import { z } from 'zod';

const DIGEST = /^[0-9a-f]{64}$/;
const day = z.iso.date('must be a day, YYYY-MM-DD');

const call = z.strictObject({
  step: z.enum(['check', 'catalog', 'accounts', 'transactions']),
  origin: z.string(),
  request: z.string(),
  status: z.int(),
  contentType: z.string().nullable(),
  requestId: z.string().regex(DIGEST).nullable(),
  body: z.string(),
});

const outcome = z.strictObject({
  check: z.array(z.strictObject({ what: z.string(), ok: z.boolean() })),
  institutions: z.int(),
  accounts: z.array(z.strictObject({ type: z.string(), currency: z.string() })).nullable(),
  transactions: z.strictObject({ count: z.int(), pending: z.int() }).nullable(),
});

/** A walk through a vendor's sandbox, as a file in `providers/<adapter>/recordings`. */
export const recordingSchema = z.strictObject({
  adapter: z.string(),
  recordedOn: day,
  /** The address of the source; each call names its own, too. */
  origin: z.string(),
  settings: z.record(z.string(), z.unknown()),
  remoteId: z.string().nullable(),
  country: z.string(),
  window: z.strictObject({ from: day, to: day }),
  /** The number of accounts of the permission; 0 without a link. */
  accounts: z.int(),
  calls: z.array(call).min(1),
  /** The findings of a replay. */
  outcome,
  /** A digest of all members before it. */
  sha256: z.string().regex(DIGEST),
});

export type Recording = z.output<typeof recordingSchema>;

/** Changes with every member, so that an edited recording is detected. */
export const digestOf = ({
  sha256: _,
  ...members
}: Omit<Recording, 'sha256'> & { sha256?: string }) =>
  createHash('sha256').update(JSON.stringify(members)).digest('hex');
