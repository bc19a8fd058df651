/** One request and its outcome, for logs and metrics. It has no secret, no body and no query. */
export interface Attempt {
  method: string;
  /** Has the ids of links and users. */
  path: string;
  /** 1 for the first attempt of a call. */
  number: number;
  /** Milliseconds from sending to the last byte; of a stream, to its headers. */
  duration: number;
  /** Undefined when no response arrived. */
  status: number | undefined;
  requestId: string | undefined;
  /** Undefined after a success. A caller's own `signal` gives its reason. */
  error: unknown;
  /** True if another attempt follows. */
  willRetry: boolean;
}
