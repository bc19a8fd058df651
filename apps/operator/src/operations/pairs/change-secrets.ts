import {
  MAX_SECRETS,
  type SecretRecord,
} from '../../../../../prisma/tenants/applications/client-secret.repository.js';
import { hashClientSecret } from '../../../../../prisma/tenants/applications/client-secret.js';
import { makeClientSecret } from '../../../../../prisma/tenants/applications/key-pair.js';
import type { Service } from '../../service.js';
import { Refusal } from '../refusal.js';
import { unknownPair } from './create-pair.js';

export interface RotatedSecret {
  secret: SecretRecord;
  /** Available here alone. */
  clientSecret: string;
  /** The end of the last other secret; null = there was none, or they work no more. */
  othersEndAt: Date | null;
}

/** Gives a key pair another secret; the others end after the overlap. @throws Refusal */
export async function rotateSecret(
  { clientSecrets }: Pick<Service, 'clientSecrets'>,
  clientId: string,
  { label, overlapMs }: { label: string | null; overlapMs: number },
): Promise<RotatedSecret> {
  const clientSecret = makeClientSecret();
  const secretHash = hashClientSecret(clientSecret);
  const outcome = await clientSecrets.rotate(clientId, { secretHash, label, overlapMs });
  if (outcome.kind === 'unknown_client') throw unknownPair(clientId);
  if (outcome.kind === 'too_many')
    throw new Refusal(
      'conflict',
      'too_many_secrets',
      `${clientId} has ${MAX_SECRETS} secrets that work, and may not have more. End one with clients end-secret, or rotate without an overlap.`,
    );
  return { secret: outcome.secret, clientSecret, othersEndAt: outcome.othersEndAt };
}

/** Ends one secret, but not the only one that works. @throws Refusal */
export async function endSecret(
  { clientSecrets }: Pick<Service, 'clientSecrets'>,
  clientId: string,
  secretId: string,
  options: { tokensToo: boolean },
): Promise<SecretRecord> {
  const outcome = await clientSecrets.end(clientId, secretId, options);
  if (outcome.kind === 'unknown')
    throw new Refusal(
      'unknown',
      'secret_not_found',
      `There is no secret ${secretId} of a client ${clientId}.`,
    );
  if (outcome.kind === 'only_one')
    throw new Refusal(
      'conflict',
      'only_secret',
      `${secretId} is the only secret of ${clientId} that works. Replace it with clients rotate, or disable the key pair with clients disable.`,
    );
  return outcome.secret;
}
