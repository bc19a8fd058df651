import type { Restriction, Tenant } from '../../../domain/api/environment.js';
import type { Scope } from '../../../domain/api/scopes.js';
import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';
import type { IdPage } from './application-page.js';
import type { SecretRecord } from './client-secret.repository.js';
import { limitsOfPair, percentOfPair } from './pair-limits.js';

/** Of each key pair. */
export const MAX_LISTED_SECRETS = 25;

/** A key pair with its secrets, newest first; one more than `MAX_LISTED_SECRETS` stands for more. */
export interface ListedPair {
  clientId: string;
  label: string | null;
  /** Null = all. */
  scopes: readonly Scope[] | null;
  restriction: Restriction | null;
  sharePercent: number;
  liveLimit: number;
  createdAt: Date;
  endsAt: Date | null;
  disabledAt: Date | null;
  secrets: Omit<SecretRecord, 'clientId'>[];
}

type StoredTimes<Row> = {
  [Name in keyof Row]: Row[Name] extends Date
    ? string
    : Row[Name] extends Date | null
      ? string | null
      : Row[Name];
};

interface PairRow {
  client_id: string;
  label: string | null;
  pair_scopes: string[] | null;
  restriction: Restriction | null;
  share_percent: number | null;
  live_limit: number;
  created_at: Date;
  ends_at: Date | null;
  disabled_at: Date | null;
  secrets: StoredTimes<ListedPair['secrets'][number]>[];
}

export function keyPairPageStatement(
  { appId, environment }: Tenant,
  { after, limit }: IdPage,
): Statement {
  const values = new Values();
  return values.statement(`
    SELECT pair.*, coalesce(listed.secrets, '[]') AS secrets
      FROM (SELECT client_id, label, scopes AS pair_scopes, restriction, share_percent, live_limit, created_at, ends_at, disabled_at
              FROM api_clients
             WHERE app_id = ${values.add(appId)} AND environment = ${values.add(environment)} AND client_id > ${values.add(after)}
             ORDER BY app_id, environment, client_id LIMIT ${values.add(limit)}) AS pair
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object('secretId', secret_id, 'label', label, 'createdAt', created_at, 'endsAt', ends_at,
                                           'tokensEndedAt', tokens_ended_at, 'lastUsedAt', last_used_at) ORDER BY created_at DESC) AS secrets
         FROM (SELECT * FROM client_secrets secret WHERE secret.client_id = pair.client_id
                ORDER BY secret.client_id DESC, secret.created_at DESC LIMIT ${values.add(MAX_LISTED_SECRETS + 1)}) AS newest) AS listed
     ORDER BY pair.client_id`);
}

/** The key pairs of an app in one environment, in the order of their ids. */
export async function listKeyPairs(
  { pool }: Pick<Database, 'pool'>,
  tenant: Tenant,
  page: IdPage,
): Promise<ListedPair[]> {
  const { rows } = await pool.query<PairRow>(keyPairPageStatement(tenant, page));
  return rows.map((row) => ({
    clientId: row.client_id,
    label: row.label,
    scopes: row.pair_scopes === null ? null : limitsOfPair(row).scopes,
    restriction: row.restriction,
    sharePercent: percentOfPair(row),
    liveLimit: row.live_limit,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    disabledAt: row.disabled_at,
    secrets: row.secrets.map((secret) => ({
      secretId: secret.secretId,
      label: secret.label,
      createdAt: new Date(secret.createdAt),
      endsAt: dateOf(secret.endsAt),
      tokensEndedAt: dateOf(secret.tokensEndedAt),
      lastUsedAt: dateOf(secret.lastUsedAt),
    })),
  }));
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
