import type { SecretRecord } from '../../../../../prisma/tenants/applications/client-secret.repository.js';
import type { KeyPairRecord } from '../../../../../prisma/tenants/applications/key-pair.repository.js';

/** A key pair as `clients list` prints it. */
export function presentPair({ restriction, ...pair }: KeyPairRecord) {
  return {
    client_id: pair.clientId,
    environment: pair.environment,
    label: pair.label,
    scopes: pair.scopes,
    users: restriction !== null && 'users' in restriction ? restriction.users : null,
    links: restriction !== null && 'links' in restriction ? restriction.links : null,
    share_percent: pair.sharePercent,
    live_limit: pair.liveLimit,
    created_at: pair.createdAt.toISOString(),
    ends_at: pair.endsAt?.toISOString() ?? null,
    disabled_at: pair.disabledAt?.toISOString() ?? null,
    last_used_at: pair.lastUsedAt?.toISOString() ?? null,
  };
}

/** A secret as `clients secrets` prints it. */
export function presentSecret(secret: Omit<SecretRecord, 'clientId'>) {
  return {
    secret_id: secret.secretId,
    label: secret.label,
    created_at: secret.createdAt.toISOString(),
    ends_at: secret.endsAt?.toISOString() ?? null,
    tokens_ended_at: secret.tokensEndedAt?.toISOString() ?? null,
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}
