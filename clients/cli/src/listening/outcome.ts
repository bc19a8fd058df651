/** The response of the receiver, as it is reported. */
export interface Outcome {
  http_status: number | null;
  error: 'timeout' | 'connect' | 'tls' | null;
  duration_ms: number;
  response_excerpt: string | null;
}
