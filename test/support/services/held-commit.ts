import pg from 'pg';

/**
 * A commit that took place but whose result this process has not received: the call is suspended.
 */
export interface HeldCommit {
  made: Promise<void>;
  /** Resumes the call. */
  release(): void;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Holds back PostgreSQL's response to the next COMMIT of a pool of this process. */
export function holdNextCommit(): HeldCommit {
  const query = Reflect.get(pg.Client.prototype, 'query') as Query;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const made = new Promise<void>((resolve) => {
    const watched: Query = function (this: pg.Client, ...args) {
      const [what] = args;
      const text = typeof what === 'string' ? what : (what as { text?: string }).text;
      if (text !== 'COMMIT') return query.apply(this, args);
      Reflect.set(pg.Client.prototype, 'query', query);
      return (query.apply(this, args) as Promise<unknown>).then(async (result) => {
        resolve();
        await released;
        return result;
      });
    };
    Reflect.set(pg.Client.prototype, 'query', watched);
  });
  return { made, release };
}
