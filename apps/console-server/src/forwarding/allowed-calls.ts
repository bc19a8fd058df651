import type { Level } from '../access/person.js';

/** A call of the public API that the console forwards. */
export interface AllowedCall {
  /** Its method and path; `:name` stands for one part. */
  call: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  level: Level;
  /** The command that does the same, in the record; missing for reads. */
  recorded?: string;
  /** Only in Sandbox. */
  sandboxOnly?: true;
  /** In Live the page repeats the id of what it destroys in `console-confirm`. */
  isConfirmed?: true;
}

/**
 * The whole part of the public API that the console reaches. Absent on purpose: account numbers, owners,
 * transactions, exports, imports, erasure, listeners, and `GET /link-sessions/{id}`, whose answer may hold a token.
 */
export const ALLOWED_CALLS: readonly AllowedCall[] = [
  read('GET /links'),
  read('GET /links/:id'),
  read('GET /links/:id/accounts'),
  read('GET /links/:id/accounts/:account_id/balances'),
  read('GET /link-sessions'),
  read('GET /webhooks/events'),
  read('GET /webhooks/events/:id'),
  read('GET /.well-known/jwks.json'),
  read('GET /institutions'),
  read('GET /institutions/:institution_id'),
  change('POST /links/:id/products', 'links refresh'),
  change('POST /webhooks/events/:id/replay', 'events replay'),
  change('POST /webhooks/events/replay', 'events replay'),
  change('POST /webhooks/test/link/:id', 'webhooks test'),
  change('POST /link-session', 'sessions create'),
  { call: 'DELETE /links/:id', level: 'destroy', recorded: 'links delete', isConfirmed: true },
  sandbox('POST /links/:id/reset', 'links reset'),
  sandbox('POST /link-session/exchange-token', 'sessions exchange'),
  { ...read('GET /sandbox/institutions/:institution_id/faults'), sandboxOnly: true },
  sandbox('POST /sandbox/institutions/:institution_id/faults', 'sandbox faults create'),
  sandbox('DELETE /sandbox/faults/:fault_id', 'sandbox faults delete'),
  sandbox('POST /sandbox/link', 'sandbox link'),
  sandbox('POST /sandbox/links/:id/expire-auth', 'sandbox expire-auth'),
  sandbox('POST /sandbox/links/:id/transactions', 'sandbox script'),
  sandbox('POST /sandbox/links/:id/holdings', 'sandbox holdings-script'),
  sandbox('POST /sandbox/links/:id/liabilities', 'sandbox liabilities-script'),
  { ...read('GET /sandbox/worlds'), sandboxOnly: true },
  sandbox('POST /sandbox/worlds', 'sandbox worlds create'),
  { ...read('GET /sandbox/worlds/:world_id'), sandboxOnly: true },
  sandbox('DELETE /sandbox/worlds/:world_id', 'sandbox worlds delete'),
  sandbox('POST /sandbox/worlds/:world_id/advance', 'sandbox worlds advance'),
];

function read(call: AllowedCall['call']): AllowedCall {
  return { call, level: 'read' };
}

function change(call: AllowedCall['call'], recorded: string): AllowedCall {
  return { call, level: 'change', recorded };
}

function sandbox(call: AllowedCall['call'], recorded: string): AllowedCall {
  return { ...change(call, recorded), sandboxOnly: true };
}

/** The call with this method and path; null = it is not forwarded. */
export function findAllowedCall(
  method: string,
  path: string,
): { allowed: AllowedCall; ids: readonly string[] } | null {
  const parts = path.split('/');
  for (const allowed of ALLOWED_CALLS) {
    const [allowedMethod, pattern = ''] = allowed.call.split(' ');
    const wanted = pattern.split('/');
    if (allowedMethod !== method || wanted.length !== parts.length) continue;
    const isVariable = (part: string) => part.startsWith(':');
    const fits = wanted.every((part, at) =>
      isVariable(part) ? /^[\w.-]+$/.test(parts[at] ?? '') : part === parts[at],
    );
    if (fits) return { allowed, ids: parts.filter((_, at) => isVariable(wanted[at] ?? '')) };
  }
  return null;
}
