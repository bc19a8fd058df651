import { hashClientSecret } from '../../../../../prisma/tenants/applications/client-secret.js';
import { makeKeyPair } from '../../../../../prisma/tenants/applications/key-pair.js';
import type {
  KeyPairRecord,
  NewKeyPair,
  PairOutcome,
} from '../../../../../prisma/tenants/applications/key-pair.repository.js';
import type { Service } from '../../service.js';
import { Refusal } from '../refusal.js';

export interface IssuedPair {
  pair: KeyPairRecord;
  /** Available here alone. */
  clientSecret: string;
}

/** Issues another key pair of an app. @throws Refusal */
export async function createPair(
  { keyPairs }: Pick<Service, 'keyPairs'>,
  wanted: Omit<NewKeyPair, 'clientId' | 'secretHash'>,
): Promise<IssuedPair> {
  const { clientId, clientSecret } = makeKeyPair(wanted.environment);
  const secretHash = hashClientSecret(clientSecret);
  const outcome = await keyPairs.create({ ...wanted, clientId, secretHash });
  return { pair: pairOf(outcome, unknownApp(wanted.appId)), clientSecret };
}

/** @throws Refusal */
export function pairOf(outcome: PairOutcome, unknown: Refusal): KeyPairRecord {
  if (outcome.kind === 'done') return outcome.pair;
  if (outcome.kind === 'unknown') throw unknown;
  throw new Refusal(
    'conflict',
    'unknown_links',
    `The app has no such link in this environment: ${outcome.links.join(', ')}.`,
  );
}

export function unknownApp(appId: string): Refusal {
  return new Refusal('unknown', 'app_not_found', `There is no app ${appId}.`);
}

export function unknownPair(clientId: string): Refusal {
  return new Refusal('unknown', 'pair_not_found', `There is no client ${clientId}.`);
}
