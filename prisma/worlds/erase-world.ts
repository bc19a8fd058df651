import type { Context } from '../base/context.js';
import type { Tx } from '../base/database/tx.js';
import type { SandboxWorld } from '../generated/client.js';
import { notify } from '../base/database/notifications.js';
import { LOGIN_GRANT } from '../sources/permissions/login-grant.js';
import type { NotRevokedReason } from '../sources/permissions/unrevoked-permission.js';
import { ERASED, ERASED_LINK_PREFIX } from './erased-links.js';
import { countUse } from '../tenants/usage/app-use.js';
import { enqueueCommand } from '../base/outbox/outbox.js';

/**
 * Deletes a locked world with a few statements, regardless of its size. Its links move out of their
 * tenant to ids that are never looked up, their keys, secrets and sessions are removed immediately,
 * and no more webhooks are sent. `removeErasedLinks` removes the remaining rows.
 */
export async function eraseWorld(
  ctx: Context,
  tx: Tx,
  { appId, worldId, sourceRef }: SandboxWorld,
): Promise<void> {
  const rows = await tx.$queryRaw<{ pk: bigint; link_id: string; state: string }[]>`
    SELECT pk, link_id, state FROM links
     WHERE app_id = ${appId} AND world_id = ${worldId} AND environment = 'sandbox' ORDER BY pk FOR UPDATE`;
  const linkPks = rows.map(({ pk }) => pk);
  await recordPermissions(tx, { appId, worldId, linkPks });
  await endSessions(tx, { appId, worldId });
  await endDeliveries(tx, { appId, linkIds: rows.map(({ link_id: linkId }) => linkId) });
  await eraseSecrets(tx, linkPks);
  // After this, no lookup, schedule or run finds the links; running refreshes are fenced as by a
  // deletion.
  await tx.$executeRaw`
    UPDATE links SET environment = ${ERASED}, link_id = ${ERASED_LINK_PREFIX} || link_id, state = 'deleted',
           error_code = NULL, webhook = NULL, next_due_at = NULL, slow_due_at = NULL, end_notice_due_at = NULL,
           exchange_expires_at = NULL
     WHERE pk = ANY (${linkPks}::bigint[])`;
  // Their rows free room only once they are removed.
  const held = rows.filter(({ state }) => state !== 'deleted').length;
  countUse(ctx, tx, { appId, environment: 'sandbox' }, { links: -held });
  await tx.sandboxWorld.delete({ where: { sourceRef } });
  await enqueueCommand(tx, { kind: 'forgetWorld', sourceRef });
}

/**
 * The sandbox bank forgets its world; no other source is called to end the permissions of its links
 * or logins.
 */
async function recordPermissions(
  tx: Tx,
  { appId, worldId, linkPks }: { appId: string; worldId: string; linkPks: bigint[] },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO unrevoked_permissions (link_id, app_id, environment, institution_id, provider, adapter, reference, reason)
    SELECT l.link_id, l.app_id, l.environment, l.institution_id, held.provider, configuration.adapter, held.reference, ${'world_deleted' satisfies NotRevokedReason}
      FROM (SELECT link_pk, provider, reference FROM provider_credentials WHERE link_pk = ANY (${linkPks}::bigint[])
             UNION ALL
            SELECT link_pk, provider, reference FROM permission_revocations WHERE link_pk = ANY (${linkPks}::bigint[])
             UNION ALL
            SELECT s.link_pk, s.provider, NULL FROM link_sessions s
             WHERE s.app_id = ${appId} AND s.world_id = ${worldId} AND s.environment = 'sandbox'
               AND EXISTS (SELECT FROM session_secrets kept WHERE kept.session_id = s.session_id AND kept.kind = ${LOGIN_GRANT})
           ) AS held
      JOIN links l ON l.pk = held.link_pk
      JOIN provider_configurations configuration ON configuration.name = held.provider`;
}

async function eraseSecrets(tx: Tx, linkPks: bigint[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM data_keys WHERE owner IN (
      SELECT kind || link_id FROM links, unnest(ARRAY['link/', 'credential/']) AS kind WHERE pk = ANY (${linkPks}::bigint[])
      UNION ALL
      SELECT 'revocation/' || revocation_id FROM permission_revocations WHERE link_pk = ANY (${linkPks}::bigint[]))`;
  await tx.$executeRaw`DELETE FROM permission_revocations WHERE link_pk = ANY (${linkPks}::bigint[])`;
  await tx.$executeRaw`DELETE FROM provider_credentials WHERE link_pk = ANY (${linkPks}::bigint[])`;
  await tx.$executeRaw`DELETE FROM item_access_tokens WHERE link_pk = ANY (${linkPks}::bigint[])`;
}

async function endSessions(
  tx: Tx,
  { appId, worldId }: { appId: string; worldId: string },
): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM link_sessions
       WHERE app_id = ${appId} AND world_id = ${worldId} AND environment = 'sandbox' AND world_id <> 'default'
      RETURNING session_id, began_as, state
    ), unexplained AS (
      DELETE FROM route_decisions WHERE session_id IN (SELECT session_id FROM gone)
    ), forgotten AS (
      DELETE FROM data_keys WHERE owner IN (
        SELECT kind || session_id FROM gone, unnest(ARRAY['session/', 'plaid-session/']) AS kind)
    )
    INSERT INTO outbox_commands (kind, payload)
    SELECT 'signalSession', jsonb_build_object('sessionId', session_id, 'mode', began_as, 'signal', 'ended')
      FROM gone WHERE state <> 'ended' ORDER BY session_id`;
  notify(tx, 'outbox');
}

/**
 * Selects by the pending deliveries of the app, which are few compared with the events of a large
 * world.
 */
async function endDeliveries(
  tx: Tx,
  { appId, linkIds }: { appId: string; linkIds: string[] },
): Promise<void> {
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE webhook_deliveries d SET status = 'disabled', next_attempt_at = NULL
        FROM webhook_events e
       WHERE d.app_id = ${appId} AND d.environment = 'sandbox' AND d.newest AND d.status = 'pending'
         AND e.pk = d.event_pk AND e.link_id = ANY (${linkIds}::text[])
      RETURNING d.delivery_id, d.in_workflow
    )
    INSERT INTO outbox_commands (kind, payload)
    SELECT 'endWebhookDelivery', jsonb_build_object('deliveryId', delivery_id) FROM ended WHERE in_workflow`;
}
