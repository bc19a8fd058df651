import { ENVIRONMENTS, type Environment } from '../../../domain/api/environment.js';
import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';

export const FOUND_KINDS = [
  'link',
  'session',
  'event',
  'delivery',
  'account',
  'client',
  'institution',
  'user',
  'app',
  'provider',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** Something with an id that was looked for. */
export interface FoundRow {
  kind: FoundKind;
  id: string;
  /** Null = it belongs to no app. */
  appId: string | null;
  environment: Environment | null;
  /** The link of a session or account, or the event of a delivery; null = it has none. */
  of: string | null;
  /** The app's id of the user of a session; null = it is something else. */
  userId: string | null;
}

/** At most. */
const MAX_FOUND = 10;

/** The searcher: an operator, or a reader of one app. */
export type Finder = { appId: string | null };

/**
 * Each a look-up in a unique index. Of an erased world, only the bare rows are left, which belong to
 * no environment.
 */
export function findStatement(id: string, { appId }: Finder): Statement {
  const values = new Values();
  const wanted = values.add(id);
  const environments = values.add(ENVIRONMENTS);
  const app = appId === null ? null : values.add(appId);
  const ofTenant = (row: string) =>
    `${row}.environment = ANY(${environments}::text[])${app === null ? '' : ` AND ${row}.app_id = ${app}`}`;
  const row = (kind: FoundKind, columns: string, from: string) =>
    `SELECT '${kind}' AS kind, ${columns} FROM ${from}`;
  const parts = [
    row(
      'link',
      'l.link_id AS id, l.app_id AS "appId", l.environment, NULL::text AS of, NULL::text AS "userId"',
      `links l WHERE l.link_id = ${wanted} AND ${ofTenant('l')}`,
    ),
    row(
      'session',
      `s.session_id, s.app_id, s.environment, (SELECT l.link_id FROM links l WHERE l.pk = s.link_pk),
       (SELECT u.user_id FROM customer_users u WHERE u.pk = s.customer_user_pk)`,
      `link_sessions s WHERE s.session_id = ${wanted} AND ${ofTenant('s')}`,
    ),
    row(
      'event',
      'e.event_id, e.app_id, e.environment, NULL, NULL',
      `webhook_events e WHERE e.event_id = ${wanted} AND ${ofTenant('e')}`,
    ),
    row(
      'delivery',
      'd.delivery_id, d.app_id, d.environment, (SELECT e.event_id FROM webhook_events e WHERE e.pk = d.event_pk), NULL',
      `webhook_deliveries d WHERE d.delivery_id = ${wanted} AND ${ofTenant('d')}`,
    ),
    row(
      'account',
      'a.account_id, l.app_id, l.environment, l.link_id, NULL',
      `accounts a JOIN links l ON l.pk = a.link_pk WHERE a.account_id = ${wanted} AND ${ofTenant('l')}`,
    ),
    row(
      'client',
      'c.client_id, c.app_id, c.environment, NULL, NULL',
      `api_clients c WHERE c.client_id = ${wanted} AND ${ofTenant('c')}`,
    ),
    row(
      'institution',
      'i.institution_id, NULL, i.environment, NULL, NULL',
      `institutions i WHERE i.institution_id = coalesce((SELECT n.institution_id FROM institution_aliases n WHERE n.alias = ${wanted}), ${wanted})`,
    ),
    ...(app === null
      ? [
          row(
            'app',
            'p.app_id, p.app_id, NULL, NULL, NULL',
            `applications p WHERE p.app_id = ${wanted}`,
          ),
          row(
            'provider',
            'v.name, NULL, v.environment, NULL, NULL',
            `provider_configurations v WHERE v.name = ${wanted}`,
          ),
        ]
      : // The ids of users are those of their app.
        [
          row(
            'user',
            'u.user_id, u.app_id, u.environment, NULL, NULL',
            `customer_users u WHERE u.user_id = ${wanted} AND ${ofTenant('u')}`,
          ),
        ]),
  ];
  return values.statement(`${parts.join('\n UNION ALL ')} LIMIT ${MAX_FOUND}`);
}

export async function findById(
  { pool }: Pick<Database, 'pool'>,
  id: string,
  finder: Finder,
): Promise<FoundRow[]> {
  return (await pool.query<FoundRow>(findStatement(id, finder))).rows;
}
