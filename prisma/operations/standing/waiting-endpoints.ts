import type { Database } from '../../base/database/database.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Statement } from '../../base/database/statement.js';

export const MAX_ENDPOINTS = 250;
/** Every count stops here. */
export const MAX_WAITING = 100;

/** Scheme, host and port of receivers, with what waits for them; counts end at `MAX_WAITING`, of which one more stands for any. */
export interface WaitingEndpoint {
  endpoint: string;
  /** Deliveries without an attempt. */
  new: number;
  /** Deliveries that the receiver has not accepted yet. */
  refused: number;
  /** Attempts of the delivery that has had the most. */
  attempts: number | null;
  /** Its last outcome. */
  httpStatus: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
}

type EndpointRow = Omit<WaitingEndpoint, 'httpStatus' | 'error'> & {
  answer: { httpStatus: number | null; error: string | null } | null;
};

export const waitingEndpointsStatement = (): Statement => ({
  text: loadSql('waiting-endpoints'),
  values: [MAX_ENDPOINTS, MAX_WAITING + 1],
});

/** Those that refuse come first. */
export async function listWaitingEndpoints({
  pool,
}: Pick<Database, 'pool'>): Promise<WaitingEndpoint[]> {
  const { rows } = await pool.query<EndpointRow>(waitingEndpointsStatement());
  return rows
    .map(({ answer, ...row }) => ({
      ...row,
      refused: Math.min(row.refused, MAX_WAITING + 1),
      httpStatus: answer?.httpStatus ?? null,
      error: answer?.error ?? null,
    }))
    .sort((one, other) => (other.attempts ?? 0) - (one.attempts ?? 0));
}
