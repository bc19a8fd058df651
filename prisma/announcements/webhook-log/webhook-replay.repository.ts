import type { Tenant } from '../../../domain/api/environment.js';
import { replayStartsAt, type EventStatus } from '../../../domain/webhooks/event-status.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { takeRoom } from '../../tenants/usage/app-use.js';
import { redeliver } from './redeliver.js';
import {
  addressesStatement,
  eventStatement,
  replayCandidatesStatement,
  replayCountStatement,
  type EventFilter,
} from './webhook-log-query.js';
import type { Statement } from '../../base/database/statement.js';

export type ReplayOutcome =
  | { kind: 'replayed'; deliveryId: string }
  /** The link has no address, or a disabled one. */
  | { kind: 'noAddress' }
  | { kind: 'unknown' };

export interface ReplayRange {
  filter: EventFilter & { status: readonly EventStatus[] };
  limit: number;
  dryRun: boolean;
}

/** Source: webhooks 9. */
export interface ReplayCounts {
  matched: number;
  replayed: number;
  skipped: number;
}

/** Replays events of the log that a caller may read. Source: webhooks 9, "Replay". */
export class WebhookReplayRepository {
  constructor(private readonly ctx: Context) {}

  async replay(tenant: Tenant, eventId: string): Promise<ReplayOutcome> {
    return this.ctx.database.transaction(async (tx) => {
      const [event] = await query<{ pk: bigint; link_id: string }>(
        tx,
        eventStatement(tenant, eventId),
      );
      if (event === undefined) return { kind: 'unknown' };
      await lockLinks(tx, [event.link_id]);
      await lockNewest(tx, [event.pk]);
      const url = (await addressesOf(tx, [event.pk])).get(event.pk);
      if (url === undefined) return { kind: 'noAddress' };
      takeRoom(this.ctx, tx, tenant, { replays: 1 });
      const [deliveryId = ''] = await redeliver(this.ctx, tx, [
        { eventPk: event.pk, url, startAt: this.ctx.clock() },
      ]);
      return { kind: 'replayed', deliveryId };
    });
  }

  /**
   * The oldest events of the range, in one transaction. Two concurrent replays of a range send each
   * event once.
   */
  async replayRange(tenant: Tenant, { filter, limit, dryRun }: ReplayRange): Promise<ReplayCounts> {
    return this.ctx.database.transaction(async (tx) => {
      const [counted] = await query<{ matched: bigint; usable: bigint }>(
        tx,
        replayCountStatement(tenant, filter),
      );
      const matched = Number(counted?.matched ?? 0);
      const skipped = matched - Number(counted?.usable ?? 0);
      if (dryRun || matched === skipped) return { matched, replayed: 0, skipped };

      const candidates = await query<{ pk: bigint; link_id: string }>(
        tx,
        replayCandidatesStatement(tenant, filter, limit),
      );
      await lockLinks(
        tx,
        candidates.map(({ link_id: linkId }) => linkId),
      );
      const standing = await lockNewest(
        tx,
        candidates.map(({ pk }) => pk),
      );
      const wanted = candidates
        .map(({ pk }) => pk)
        .filter((pk) => filter.status.some((status) => status === standing.get(pk)));
      const addresses = await addressesOf(tx, wanted);
      const now = this.ctx.clock();
      const redeliveries = wanted
        .flatMap((eventPk) => {
          const url = addresses.get(eventPk);
          return url === undefined ? [] : [{ eventPk, url }];
        })
        .map((redelivery, index) => ({ ...redelivery, startAt: replayStartsAt(now, index) }));
      if (redeliveries.length > 0) {
        takeRoom(this.ctx, tx, tenant, { replays: redeliveries.length });
        await redeliver(this.ctx, tx, redeliveries);
      }
      return { matched, replayed: redeliveries.length, skipped };
    });
  }
}

/** Protects against changes of their addresses. */
async function lockLinks(tx: Tx, linkIds: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT pk FROM links WHERE link_id = ANY(${[...new Set(linkIds)]}) ORDER BY pk FOR SHARE`;
}

/**
 * Protects against other replays of the same events. The events are locked, not their newest
 * deliveries: a replay that waited for such a delivery would neither see nor lock its replacement.
 * @returns the status of each event
 */
async function lockNewest(tx: Tx, eventPks: readonly bigint[]): Promise<Map<bigint, string>> {
  await tx.$queryRaw`SELECT pk FROM webhook_events WHERE pk = ANY(${[...eventPks]}) ORDER BY pk FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<{ event_pk: bigint; status: string }[]>`
    SELECT event_pk, status FROM webhook_deliveries WHERE event_pk = ANY(${[...eventPks]}) AND newest ORDER BY event_pk FOR NO KEY UPDATE`;
  return new Map(rows.map(({ event_pk: eventPk, status }) => [eventPk, status]));
}

async function addressesOf(tx: Tx, eventPks: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await query<{ pk: bigint; url: string | null }>(tx, addressesStatement(eventPks));
  return new Map(rows.flatMap(({ pk, url }) => (url === null ? [] : [[pk, url]])));
}

async function query<Row>(tx: Tx, { text, values }: Statement): Promise<Row[]> {
  return tx.$queryRawUnsafe<Row[]>(text, ...values);
}
