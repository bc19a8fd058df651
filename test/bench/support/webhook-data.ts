import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { makeId } from '../../../domain/api/ids.js';
import { renderWebhookBody, type WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import { endpointOf } from '../../../prisma/announcements/events/insert-event.js';
import type { LinkRow } from '../../../prisma/announcements/events/record-webhook-event.js';
import { processorTimeMs } from './measured-process.js';
import {
  openStorage,
  storeLink,
  TENANT,
  type Storage,
} from '../../support/fixtures/stored-link.js';
import { onConnection, openPool, queryAt } from '../../support/services/postgres.mjs';

const CONTENT: WebhookContent = {
  webhook_event: 'link.state_changed',
  state: 'connected',
  error: null,
  error_message: null,
};

export interface RecordedOne {
  /** The token of the delivery. */
  token: string;
  /** Before any work was done for it. */
  startedAt: number;
  /**
   * On the clock of PostgreSQL, when the row was written; the end of the statement and the commit
   * follow.
   */
  committingAt: number;
  commitMs: number;
}

/** In milliseconds; a clock that jumps would make every figure wrong. */
const CLOCKS_AGREE_WITHIN = 1;

const now = (): number => performance.timeOrigin + performance.now();

/** The stored columns of one event and its delivery. */
export function newRow(link: LinkRow | undefined) {
  if (link?.webhook == null) throw new Error('the link has no webhook address');
  const idempotencyKey = randomUUID();
  const body = renderWebhookBody(CONTENT, {
    idempotencyKey,
    timestamp: new Date(),
    linkId: link.linkId,
    linkTags: ['tier:gold'],
  });
  return {
    event_id: makeId('event', randomBytes),
    link_id: link.linkId,
    idempotency_key: idempotencyKey,
    body,
    body_sha256: createHash('sha256').update(body).digest('hex'),
    delivery_id: makeId('delivery', randomBytes),
    url: link.webhook,
    endpoint: endpointOf(link.webhook),
  };
}

export type EventRow = ReturnType<typeof newRow>;

/** Links with a webhook address each, and their events. */
export class WebhookData {
  /**
   * Events wait for a connection as long as necessary, also while the host of the machine stands
   * still. Connections are kept: opening new ones at the start of a measurement would cost its
   * first second more than the measured work.
   */
  private readonly recording: Pool;

  private constructor(
    readonly storage: Storage,
    readonly links: readonly LinkRow[],
  ) {
    this.recording = openPool({
      connectionString: this.databaseUrl,
      max: 10,
      idleTimeoutMillis: 0,
    });
  }

  static async open(urls: readonly string[]): Promise<WebhookData> {
    const storage = await openStorage();
    const links: LinkRow[] = [];
    for (const url of urls) {
      const { pk } = await storeLink(storage, { webhook: url });
      links.push(await storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk } }));
    }
    return new WebhookData(storage, links);
  }

  get databaseUrl(): string {
    return this.storage.ctx.database.pool.options.connectionString ?? '';
  }

  /**
   * Records one event in its own transaction with a single plain statement, because the cost of
   * creating the load is taken from the measured process.
   */
  async recordOne(made: EventRow): Promise<RecordedOne> {
    const client = await this.recording.connect();
    try {
      const startedAt = now();
      const {
        rows: [inserted],
      } = await client.query<{ written_at: number }>({
        name: 'bench-insert-event',
        text: `WITH event AS (
                 INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
                 VALUES ($1, $2, $3, $4, 'link.state_changed', $5, 'change', $6, $7) RETURNING pk)
          INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, next_attempt_at)
          SELECT $8, pk, $2, $3, $9, $10, 'event', 'pending', now() FROM event
          RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS written_at`,
        values: [
          made.event_id,
          TENANT.appId,
          TENANT.environment,
          made.link_id,
          made.idempotency_key,
          made.body,
          made.body_sha256,
          made.delivery_id,
          made.url,
          made.endpoint,
        ],
      });
      const committedAt = now();
      this.notify();
      if (inserted === undefined) throw new Error('one event was recorded');
      const { written_at: writtenAt } = inserted;
      if (
        writtenAt < startedAt - CLOCKS_AGREE_WITHIN ||
        writtenAt > committedAt + CLOCKS_AGREE_WITHIN
      )
        throw new Error(
          `written at ${writtenAt}, between ${startedAt} and ${committedAt}: the clocks differ`,
        );
      return {
        token: made.delivery_id,
        startedAt,
        committingAt: writtenAt,
        commitMs: committedAt - writtenAt,
      };
    } finally {
      client.release();
    }
  }

  /**
   * Records many events in one transaction, distributed over the links, so that all become visible
   * at the same moment.
   * @returns the moment before the COMMIT
   */
  async recordMany(count: number, links: readonly LinkRow[] = this.links): Promise<number> {
    return onConnection(this.databaseUrl, async (client) => {
      await client.query('BEGIN');
      for (let from = 0; from < count; from += 10_000)
        await this.insert(client, Math.min(10_000, count - from), links);
      const committing = now();
      await client.query('COMMIT');
      this.notify();
      return committing;
    });
  }

  async close(): Promise<void> {
    await this.recording.end();
    await this.storage.close();
  }

  /** As the service does. */
  private notify(): void {
    this.storage.ctx.database.notifier.send([{ channel: 'webhook_delivery', payload: '' }]);
  }

  private async insert(
    client: ClientBase,
    count: number,
    links: readonly LinkRow[],
  ): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => newRow(links[index % links.length]));
    await client.query({
      // Prepared, like the statements of the service.
      name: 'bench-insert-events',
      text: `WITH made AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (event_id text, link_id text, idempotency_key text, body text, body_sha256 text, delivery_id text, url text, endpoint text)),
            events AS (
              INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
              SELECT event_id, $2, $3, link_id, 'link.state_changed', idempotency_key, 'change', body, body_sha256 FROM made RETURNING pk, event_id)
       INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, next_attempt_at)
       SELECT made.delivery_id, events.pk, $2, $3, made.url, made.endpoint, 'event', 'pending', now() FROM made JOIN events USING (event_id) ORDER BY events.pk`,
      values: [JSON.stringify(rows), TENANT.appId, TENANT.environment],
    });
  }

  /** True if no delivery is in progress and no first attempt is waiting. */
  isQuiet(): Promise<boolean> {
    return this.holds(
      "NOT EXISTS (SELECT 1 FROM webhook_leases WHERE leased_until > now()) AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE status = 'pending' AND attempts = 0 AND endpoint > '')",
    );
  }

  /** True if no delivery has a planned attempt. */
  isDone(): Promise<boolean> {
    return this.holds("NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE status = 'pending')");
  }

  /**
   * For deliveries created since then: the delay of the second attempt beyond 5 s after the first.
   */
  async secondAttemptsLateMs(since: Date): Promise<number[]> {
    const { rows } = await this.storage.ctx.database.pool.query<{ late: number }>(
      `SELECT (extract(epoch FROM (history -> 1 ->> 'startedAt')::timestamptz - (history -> 0 ->> 'startedAt')::timestamptz) * 1000 - 5000)::float8 AS late
         FROM webhook_deliveries WHERE created_at >= $1 AND attempts >= 2`,
      [since],
    );
    return rows.map(({ late }) => late);
  }

  private async holds(condition: string): Promise<boolean> {
    const { rows } = await this.storage.ctx.database.pool.query<{ holds: boolean }>(
      `SELECT ${condition} AS holds`,
    );
    return rows[0]?.holds ?? false;
  }

  /**
   * Processor time of PostgreSQL: the connections to this database and the background processes.
   */
  async databaseCpuMs(): Promise<number> {
    const { rows } = await this.storage.ctx.database.pool.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() OR datname IS NULL',
    );
    return rows.reduce((sum, { pid }) => sum + (processorTimeMs(pid) ?? 0), 0);
  }

  async run(statement: string): Promise<void> {
    await queryAt(this.databaseUrl, statement);
  }
}
