import type { AppBackEnd } from '../../../support/actors/link-journey.js';
import { linkInstantBank } from '../../../support/actors/link-instant-bank.js';
import type { StoredTruth } from '../../../support/assertions/stored-truth.js';

/** A link with stored data, and the bank's id of its permission. */
export async function connectedLink(
  app: AppBackEnd,
  truth: StoredTruth,
): Promise<{ linkId: string; connection: string }> {
  const { linkId } = await linkInstantBank(app);
  await app.untilRefreshed(linkId, 'transactions');
  return { linkId, connection: await connectionOf(truth, linkId) };
}

export async function connectionOf(truth: StoredTruth, linkId: string): Promise<string> {
  const [row] = await truth.rows<{ reference: string }>(
    'SELECT c.reference FROM provider_credentials c JOIN links l ON l.pk = c.link_pk WHERE l.link_id = $1',
    [linkId],
  );
  return row?.reference ?? '';
}

export const isRevoked = async (
  truth: StoredTruth,
  connection: string,
): Promise<boolean | undefined> =>
  (
    await truth.rows<{ revoked: boolean }>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM sandbox_bank.connection WHERE connection_id = $1',
      [connection],
    )
  )[0]?.revoked;

/** The data that is still stored of a link besides its bare record. */
export async function keptOf(truth: StoredTruth, linkId: string): Promise<Record<string, number>> {
  const [row] = await truth.rows<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM accounts a WHERE a.link_pk = l.pk) AS accounts,
            (SELECT count(*)::int FROM transaction_versions t WHERE t.link_pk = l.pk) AS rows,
            (SELECT count(*)::int FROM provider_credentials c WHERE c.link_pk = l.pk) AS credentials,
            (SELECT count(*)::int FROM permission_revocations r WHERE r.link_pk = l.pk) AS revocations,
            (SELECT count(*)::int FROM data_keys k WHERE k.owner LIKE '%' || l.link_id) AS keys
       FROM links l WHERE l.link_id = $1`,
    [linkId],
  );
  return row ?? {};
}

export const NOTHING = { accounts: 0, rows: 0, credentials: 0, keys: 0 };
