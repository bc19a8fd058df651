import pg from 'pg';

type Answered = (error: Error | null, result?: unknown) => void;
type Query = string | { text: string; submit?: unknown };
/** What is used of pg's class: its types name each way to call `query`, and not the connection. */
interface Client {
  connection: { stream: { destroy(): void } };
  query(config: Query, values?: unknown, callback?: Answered): unknown;
}
const Client = pg.Client as unknown as new () => Client;

/**
 * Connections for a pool, whose queries are given up after `readTimeoutMs`. pg does that itself (`query_timeout`), but
 * there, and for every promise of `client.query`, it assigns a function to a property of the query. V8 allocates
 * functions that are assigned to properties in its old generation, in code it has not yet optimized; all that such a
 * function refers to, here the query with its rows, then outlives every small collection: 8 KB of a query of 20 short
 * rows, copied twice. So a query is given its callback when it is created. Measured: docs/performance.md, "Webhooks".
 *
 * A query that was given up rejects with `Query read timeout`, and its connection is closed: what comes behind it on the
 * same connection would wait for the same answer.
 */
export function pooledConnection(readTimeoutMs: number): new () => pg.ClientBase {
  class PooledConnection extends Client {
    override query(config: Query, values?: unknown, callback?: Answered): unknown {
      if (isSubmittable(config)) return super.query(config, values, callback);
      if (typeof values === 'function')
        return this.sendInTime(config, undefined, values as Answered);
      if (callback !== undefined) return this.sendInTime(config, values, callback);
      return new Promise((resolve, reject) => {
        const answered: Answered = (error, result) => (error ? reject(error) : resolve(result));
        this.sendInTime(config, values, answered);
      }).catch((error: Error) => {
        // As pg does: the stack leads to whoever asked, not to the socket.
        Error.captureStackTrace(error);
        throw error;
      });
    }

    private sendInTime(config: Query, values: unknown, callback: Answered): void {
      let isOver = false;
      const end: Answered = (error, result) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        callback(error, result);
      };
      const giveUp = (): void => {
        end(new Error('Query read timeout'));
        this.connection.stream.destroy();
      };
      const timer = setTimeout(giveUp, readTimeoutMs);
      super.query(config, values, end);
    }
  }
  return PooledConnection as unknown as new () => pg.ClientBase;
}

function isSubmittable(config: Query): boolean {
  return typeof config === 'object' && typeof config.submit === 'function';
}
