import type { QueryResultRow } from 'pg';
import { eventually } from './eventually.js';
import { listenTo } from './listen-to.js';
import { onConnection, queryAt } from '../services/postgres.mjs';

export interface StoredEvent extends QueryResultRow {
  webhook_event: string;
  idempotency_key: string;
  body: string;
  deliveries: { delivery_id: string; status: string; attempts: number }[];
}

/** Reads the database of a running service for facts that no call returns. */
export class StoredTruth {
  /** Read on each use: after a restart the database may have another address. */
  constructor(private readonly databaseUrl: () => string) {}

  async rows<T extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
    const connection = { connectionString: this.databaseUrl(), connectionTimeoutMillis: 60_000 };
    return queryAt<T>(connection, statement, values);
  }

  /** The payloads sent on a channel of the service in the meantime. Resolves once there is one. */
  async listenTo(channel: string, meanwhile: () => Promise<void>): Promise<string[]> {
    return onConnection(this.databaseUrl(), async (client) => {
      const heard: string[] = [];
      client.on('notification', ({ payload = '' }) => heard.push(payload));
      await listenTo(client, channel);
      await meanwhile();
      await eventually(async () => {
        await client.query('SELECT 1');
        if (heard.length === 0) throw new Error(`nothing was sent on ${channel}`);
      });
      return heard;
    });
  }

  /** Every row of every table as text, with bytes in hexadecimal. */
  async dump(): Promise<Record<string, string>> {
    const tables = await this.rows<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const entries = await Promise.all(
      tables.map(async ({ name }) => {
        const [row] = await this.rows<{ text: string }>(
          `SELECT coalesce(string_agg(t::text, E'\n'), '') AS text FROM ${name} t`,
        );
        return [name, row?.text ?? ''] as const;
      }),
    );
    return Object.fromEntries(entries);
  }

  /** The events of a link in the order in which they were written. */
  events(linkId: string): Promise<StoredEvent[]> {
    return this.rows<StoredEvent>(
      `SELECT e.webhook_event, e.idempotency_key, e.body,
              json_agg(json_build_object('delivery_id', d.delivery_id, 'status', d.status, 'attempts', d.attempts) ORDER BY d.pk) AS deliveries
         FROM webhook_events e JOIN webhook_deliveries d ON d.event_pk = e.pk
        WHERE e.link_id = $1 GROUP BY e.pk ORDER BY e.pk`,
      [linkId],
    );
  }

  /** The same in short form: `state connected`, `accounts completed`, `updates_available`. */
  async story(linkId: string): Promise<string[]> {
    return (await this.events(linkId)).map(({ body }) =>
      describeEvent(JSON.parse(body) as Record<string, unknown>),
    );
  }

  /** Requests a fetch of a product, as the schedule would. */
  async requestFetch(linkId: string, product: string): Promise<void> {
    await this.rows(
      "INSERT INTO refresh_requests (link_pk, product, cause) SELECT pk, $2, 'scheduled' FROM links WHERE link_id = $1",
      [linkId, product],
    );
    await this.rows(
      "UPDATE link_products SET state = 'pending', state_changed_at = now() WHERE product = $2 AND link_pk = (SELECT pk FROM links WHERE link_id = $1)",
      [linkId, product],
    );
    await this.rows(
      "INSERT INTO outbox_commands (kind, payload) VALUES ('startProductRefresh', jsonb_build_object('linkId', $1::text))",
      [linkId],
    );
  }

  async linkOfSession(
    sessionId: string,
  ): Promise<{ link_id: string; state: string; error_code: string | null } | null> {
    const [link] = await this.rows<{ link_id: string; state: string; error_code: string | null }>(
      'SELECT l.link_id, l.state, l.error_code FROM links l JOIN link_sessions s ON s.link_pk = l.pk WHERE s.session_id = $1',
      [sessionId],
    );
    return link ?? null;
  }
}

export function describeEvent(body: Record<string, unknown>): string {
  switch (body['webhook_event']) {
    case 'link.state_changed':
      return body['error'] === null
        ? `state ${String(body['state'])}`
        : `state ${String(body['state'])}/${String(body['error'])}`;
    case 'link.product_refresh':
      return `${String(body['product'])} ${String(body['state'])}`;
    case 'transactions.updates_available':
      return `${String(body['webhook_event'])} has_history=${String(body['has_history'])}`;
    default:
      return String(body['webhook_event']);
  }
}
