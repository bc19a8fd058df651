import { Refusal } from '../../../operator/src/operations/refusal.js';
import { OperationRefused } from './operation.js';

const STATUS = { unknown: 404, conflict: 409, unavailable: 503 } as const;

/** For `catch`: the answer to what a command would print as its failure. */
export function refused(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new OperationRefused(STATUS[error.kind], `console.${error.reason}`, error.message);
}
