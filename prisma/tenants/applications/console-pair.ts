import { createHash } from 'node:crypto';
import type { Tenant } from '../../../domain/api/environment.js';
import type { Scope } from '../../../domain/api/scopes.js';
import type { Context } from '../../base/context.js';

const LABEL = 'Console';
/** Neither account numbers, owners nor users. */
const SCOPES: readonly Scope[] = [
  'link_session:write',
  'links:read',
  'links:write',
  'transactions:read',
  'products:refresh',
  'institutions:read',
  'webhooks:test',
  'webhooks:read',
  'webhooks:replay',
];

/** The console's key pair of an app: without a secret, so only the console can get tokens for it. */
export function consoleClientId({ appId, environment }: Tenant): string {
  const app = createHash('sha256').update(appId).digest('hex').slice(0, 24);
  return `${environment}_console_${app}`;
}

/** @returns its scopes; null = there is no such app. An operator may have disabled or limited the pair. */
export async function ensureConsolePair(
  { database: { pool }, clock }: Context,
  tenant: Tenant,
): Promise<readonly Scope[] | null> {
  const { appId, environment } = tenant;
  const scopes = environment === 'sandbox' ? [...SCOPES, 'sandbox:write' as const] : SCOPES;
  const { rows } = await pool.query<{ exists: boolean }>(
    `WITH app AS (SELECT app_id FROM applications WHERE app_id = $2),
          made AS (
            INSERT INTO api_clients (client_id, app_id, environment, label, scopes, created_at)
            SELECT $1, app_id, $3, $4, $5::jsonb, $6 FROM app
            ON CONFLICT (client_id) DO NOTHING)
     SELECT EXISTS (SELECT FROM app) AS exists`,
    [consoleClientId(tenant), appId, environment, LABEL, JSON.stringify(scopes), clock()],
  );
  return rows[0]?.exists === true ? scopes : null;
}
