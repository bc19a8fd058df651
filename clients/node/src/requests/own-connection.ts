interface HttpClientOfDeno {
  close(): void;
}
interface Deno {
  createHttpClient?(options: { poolMaxIdlePerHost: number }): HttpClientOfDeno;
}

/**
 * A connection for one request that must not be sent twice. On a kept connection that ends before
 * the response, runtimes repeat requests by themselves, in case the service had closed it earlier:
 * Bun a DELETE, Deno also a POST.
 */
export function openOwnConnection(): { init: RequestInit; close(): void } {
  const { Deno: deno } = globalThis as { Deno?: Deno };
  const client = deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
  return {
    // False is the default of the standard; only Bun takes a kept connection unless it is given.
    init: { keepalive: false, ...(client === undefined ? {} : { client }) },
    close: () => client?.close(),
  };
}
