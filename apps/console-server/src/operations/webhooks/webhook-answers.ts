/** `GET /apps/:app/:env/events/:event_id/request`: the request of an event as it would be sent now. */
export interface EventRequest {
  event_id: string;
  /** Without query; null = the event has no address. */
  url: string | null;
  method: 'POST';
  /** Signed now with the current key, over the bytes that were sent. */
  headers: Record<string, string>;
  /** The text whose UTF-8 form is sent; with `hides_tokens`, it has tokens as null. */
  body: string;
  /** Of the bytes that were sent. */
  body_sha256: string;
  /** The body shown is not the one that was sent, so its digest is not the signed one. */
  hides_tokens: boolean;
}

/** `GET /apps/:app/:env/endpoints`: receivers for which deliveries wait, or whose address is disabled. */
export interface Endpoints {
  /** Disabled ones first, then those with the most deliveries waiting. */
  endpoints: Endpoint[];
  /** Only the newest 1,000 deliveries that wait, and as many of disabled addresses, were read. */
  is_cut: boolean;
}

export interface Endpoint {
  /** Origin and path. */
  address: string;
  waiting: number;
  /** When the oldest of the waiting deliveries was created; null = none waits. */
  oldest_at: string | null;
  /** The HTTP status of the last attempt of a waiting delivery; null = no response, or no attempt. */
  last_status: number | null;
  /** Why the last attempt failed: `http_status`, `timeout` …; null = no attempt. */
  last_error: string | null;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  /** A 410 response of the receiver disabled the address of a link. */
  disabled: boolean;
}

/** `POST /apps/:app/:env/deliveries/:delivery_id/retry` and `…/cancel` */
export interface ChangedDelivery {
  delivery_token: string;
  status: 'pending' | 'delivered' | 'exhausted' | 'disabled' | 'no_address' | 'replaced';
}
