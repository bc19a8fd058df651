import type { ApiClient } from '../../../support/services/api-client.js';

export interface ListenedDelivery {
  delivery_token: string;
  event_id: string;
  webhook_event: string;
  link_id: string;
  created_at: string;
  attempt: number;
  headers: Record<string, string>;
  body: string;
  cursor: string;
}

export interface DeliveryPage {
  deliveries: ListenedDelivery[];
  cursor: { next: string };
  has_more: boolean;
}

/** A program that listens, as the contract describes it. */
export class Listener {
  private constructor(
    private readonly api: ApiClient,
    readonly id: string,
  ) {}

  static async start(api: ApiClient, filter: Record<string, unknown> = {}): Promise<Listener> {
    const { status, text, body } = await api.post('/webhooks/listeners', { json: filter });
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return new Listener(api, (body as { listener_id: string }).listener_id);
  }

  /** The same listener through another process. */
  through(api: ApiClient): Listener {
    return new Listener(api, this.id);
  }

  path(query: Record<string, string | number> = {}): string {
    const named = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return `/webhooks/listeners/${this.id}/deliveries?${new URLSearchParams(named)}`;
  }

  async page(query: Record<string, string | number> = {}): Promise<DeliveryPage> {
    const { status, text, body } = await this.api.get(this.path(query));
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return body as DeliveryPage;
  }

  report(
    { delivery_token: token, event_id }: Pick<ListenedDelivery, 'delivery_token' | 'event_id'>,
    outcome: Record<string, unknown>,
  ) {
    return this.api.post(`/webhooks/listeners/${this.id}/deliveries/${token}`, {
      json: { event_id, duration_ms: 12, ...outcome },
    });
  }
}
