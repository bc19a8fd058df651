import { AsyncLocalStorage } from 'node:async_hooks';

/** The trace and the owner of a piece of work. Null = none. */
export interface WorkOrigin {
  /** Appears in log lines and in rows of waiting work. 32 hexadecimal digits. */
  readonly traceId: string | null;
  /** The owner on whose behalf it takes connections from a `SharedPool`; set once it is known. */
  owner: string | null;
}

const NOTHING: WorkOrigin = { traceId: null, owner: null };
const current = new AsyncLocalStorage<WorkOrigin>();

/** Everything `work` starts, now or later, belongs to `origin`. */
export function runFor<T>(origin: WorkOrigin, work: () => T): T {
  return current.run(origin, work);
}

/** Everything `work` starts belongs to a trace; null = no request caused it. */
export function runTraced<T>(traceId: string | null, work: () => T): T {
  return current.run({ traceId, owner: currentOwner() }, work);
}

/** For connections that outlive the request that opened them. */
export function runUnowned<T>(work: () => T): T {
  return current.run(NOTHING, work);
}

/**
 * Sets the owner of the current work once it is known: from now on it takes its connections on
 * behalf of `owner`.
 */
export function continueOwned(owner: string): void {
  const store = current.getStore();
  if (store !== undefined && store !== NOTHING) store.owner = owner;
}

export function currentOwner(): string | null {
  return current.getStore()?.owner ?? null;
}

export function currentTraceId(): string | null {
  return current.getStore()?.traceId ?? null;
}

/** From a column of type uuid, which PostgreSQL shows with hyphens. */
export function traceIdFromColumn(value: string | null): string | null {
  return value?.replaceAll('-', '') ?? null;
}
