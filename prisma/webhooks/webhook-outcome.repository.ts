import type pg from 'pg';
import type { WebhookAttemptFacts } from '../../domain/webhooks/present-webhook-event.js';
import type { Context } from '../context.js';
import { inPoolTransaction } from '../database/pool-transaction.js';
import { loadSql } from '../database/load-sql.js';
import type { DeliveryStatus } from './webhook-delivery.repository.js';
import { storedAttempt } from './attempt-history.js';

export interface RecordedOutcome extends WebhookAttemptFacts {
  deliveryPk: bigint;
  /** What follows from it. */
  status: 'pending' | 'delivered' | 'exhausted' | 'disabled';
  nextAttemptAt: Date | null;
  shiftMs: number;
}

/** What became of a delivery by an outcome that was not a delivery. */
export interface RecordedFailure {
  deliveryPk: bigint;
  status: DeliveryStatus;
  /** False: its next attempt waits in the table until there is room for its workflow. */
  inWorkflow: boolean;
}

/** A round through the endpoints where deliveries wait for a workflow. */
export interface HandingVisit {
  /** Workflows to begin at most, for each endpoint. */
  atOnce: number;
  /** Endpoints that refuse, and what to begin at most for each of those. */
  refusing: readonly string[];
  atOnceRefusing: number;
  /** Whether it is the turn of those of them, too, where more wait than may have workflows: most would not be in time. */
  overfull: boolean;
  /** Where the round before ended; empty = at the first. */
  afterEndpoint: string;
  /** Endpoints to visit. */
  endpoints: number;
}

interface Handing extends HandingVisit {
  /** Begins none at an endpoint that has so many. */
  mostOpen: number;
}

/** Workflows open per endpoint: the backlog of a dead one must not crowd out linking. See docs/architecture.md, "Webhooks". */
export const WORKFLOWS_PER_ENDPOINT = 50;
/**
 * A failure begins a workflow at once while none is open at its endpoint; others get theirs in rounds. Each takes tens of
 * milliseconds of processor time, and when an endpoint begins to hang or refuse, eight fail in the same moment.
 */
const AT_A_FAILURE: Handing = {
  mostOpen: 1,
  atOnce: 1,
  refusing: [],
  atOnceRefusing: 0,
  overfull: true,
  afterEndpoint: '',
  endpoints: 0,
};
const HANDING_LOCK = 0x7765_6203;

/** What came of attempts, and who makes the next ones. Source: webhooks 8. */
export class WebhookOutcomeRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Writes outcomes, and in the same transaction what follows: a failed first attempt becomes a workflow, an answer 410
   * ends what the link still sends to that address. Doing it twice changes nothing, and whoever waits for the disk here
   * waits for nothing: an outcome lost in a crash of the database leads to one more attempt.
   */
  async recordOutcomes(outcomes: readonly RecordedOutcome[]): Promise<RecordedFailure[]> {
    const { hot } = this.ctx.database;
    if (outcomes.every(({ status }) => status === 'delivered')) {
      // Nothing follows: one statement, which is a transaction of its own.
      await recordDeliveries(hot, outcomes);
      return [];
    }
    return inPoolTransaction(hot, async (client) => {
      const recorded = await record(client, outcomes);
      for (const row of recorded)
        if (row.outcome === 'disabled') await this.disableAddress(client, row.link_id, row.url);
      const failedFirst = recorded.filter((row) => row.status === 'pending' && row.attempts === 1);
      const handed = new Set(
        failedFirst.length === 0
          ? []
          : (await handToWorkflows(client, AT_A_FAILURE, failedFirst)).pks,
      );
      return recorded.map(({ pk, status, in_workflow }) => ({
        deliveryPk: BigInt(pk),
        status,
        inWorkflow: in_workflow || handed.has(pk),
      }));
    });
  }

  /** Gives workflows to deliveries that wait for one, the earliest due first, as far as their endpoints have room. */
  async handToWorkflows(
    visit: HandingVisit,
  ): Promise<{ handed: number; lastEndpoint: string | null }> {
    return inPoolTransaction(this.ctx.database.hot, async (client) => {
      const { pks, lastEndpoint } = await handToWorkflows(client, {
        ...visit,
        mostOpen: WORKFLOWS_PER_ENDPOINT,
      });
      return { handed: pks.length, lastEndpoint };
    });
  }

  /**
   * webhooks 8.2: 410 disables the address for this link and stops its other open deliveries to it, and their workflows. The link is locked
   * first, so that an event which is being written now is either stopped here or sees the mark.
   */
  private async disableAddress(client: pg.PoolClient, linkId: string, url: string): Promise<void> {
    await client.query(
      'UPDATE links SET webhook_disabled_at = $1, revision = revision + 1 WHERE link_id = $2 AND webhook = $3 AND webhook_disabled_at IS NULL',
      [this.ctx.clock(), linkId, url],
    );
    const { rowCount } = await client.query(
      `WITH ended AS (
         UPDATE webhook_deliveries d SET status = 'disabled', next_attempt_at = NULL
         FROM webhook_events e
         WHERE e.pk = d.event_pk AND e.link_id = $1 AND d.url = $2 AND d.status = 'pending'
         RETURNING d.pk, d.delivery_id, d.in_workflow)
       INSERT INTO outbox_commands (kind, payload)
       SELECT 'endWebhookDelivery', jsonb_build_object('deliveryId', delivery_id) FROM ended WHERE in_workflow ORDER BY pk`,
      [linkId, url],
    );
    if (rowCount !== null && rowCount > 0) await client.query("SELECT pg_notify('outbox', '')");
  }
}

async function recordDeliveries(
  pool: pg.Pool,
  outcomes: readonly RecordedOutcome[],
): Promise<void> {
  await pool.query({
    name: 'webhook-record-deliveries',
    text: loadSql('webhook-record-deliveries'),
    values: [
      outcomes.map(({ deliveryPk }) => deliveryPk),
      JSON.stringify(outcomes.map(storedAttempt)),
    ],
  });
}

async function record(
  client: pg.PoolClient,
  outcomes: readonly RecordedOutcome[],
): Promise<RecordedRow[]> {
  const { rows } = await client.query<RecordedRow>({
    name: 'webhook-record-outcomes',
    text: loadSql('webhook-record-outcomes'),
    values: [
      JSON.stringify(outcomes.map(toOutcomeRow)),
      outcomes.map(({ deliveryPk }) => deliveryPk),
    ],
  });
  return rows;
}

async function handToWorkflows(
  client: pg.PoolClient,
  handing: Handing,
  failedNow?: readonly Pick<RecordedRow, 'pk' | 'endpoint'>[],
): Promise<{ pks: string[]; lastEndpoint: string | null }> {
  // Two at a time would count the same free places.
  await client.query(`SELECT pg_advisory_xact_lock(${HANDING_LOCK})`);
  const failedPks = failedNow?.map(({ pk }) => pk) ?? null;
  const endpoints =
    failedNow === undefined ? null : [...new Set(failedNow.map(({ endpoint }) => endpoint))];
  const { rows } = await client.query<{ pk: string | null; last_endpoint: string | null }>({
    name: 'webhook-hand-to-workflows',
    text: loadSql('webhook-hand-to-workflows'),
    values: [
      failedPks,
      endpoints,
      handing.mostOpen,
      handing.atOnce,
      handing.refusing,
      handing.atOnceRefusing,
      handing.afterEndpoint,
      handing.endpoints,
      handing.overfull,
    ],
  });
  const pks = rows.flatMap(({ pk }) => pk ?? []);
  if (pks.length > 0) await client.query("SELECT pg_notify('outbox', '')");
  return { pks, lastEndpoint: rows[0]?.last_endpoint ?? null };
}

interface RecordedRow {
  pk: string;
  url: string;
  endpoint: string;
  status: DeliveryStatus;
  attempts: number;
  in_workflow: boolean;
  outcome: RecordedOutcome['status'];
  link_id: string;
}

function toOutcomeRow(outcome: RecordedOutcome): object {
  const { deliveryPk, attempt, startedAt, status, nextAttemptAt, shiftMs } = outcome;
  return {
    delivery_pk: deliveryPk.toString(),
    attempt,
    started_at: startedAt,
    facts: storedAttempt(outcome),
    status,
    next_attempt_at: nextAttemptAt,
    shift_ms: shiftMs,
  };
}
