import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string | null>();

/**
 * Everything `work` starts, now or later, belongs to a trace: log lines name it, and rows of work
 * that waits keep it. Null means work that no request caused.
 * @param traceId 32 hexadecimal digits
 */
export function runTraced<T>(traceId: string | null, work: () => T): T {
  return current.run(traceId, work);
}

export function currentTraceId(): string | null {
  return current.getStore() ?? null;
}

/** From a column of type uuid, which PostgreSQL shows with hyphens. */
export function traceIdFromColumn(value: string | null): string | null {
  return value?.replaceAll('-', '') ?? null;
}
