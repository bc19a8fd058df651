import type { ProtocolName } from './protocol.js';

/** The middleware of every request, first to last, before its route is known. */
export const MIDDLEWARE = [
  'entrance',
  'log',
  'calls beside Connect',
  // Before the limit, so that a page can read its refusal.
  'cors of Connect',
  'anonymous limit',
  'head size',
  'paths of Plaid',
  'logos',
  'hosted app',
  'unknown paths of Plaid',
] as const;

/**
 * The checks of a request once its route is known and the process is prepared, first to last. The first that fails decides the
 * response. Sources: native-api 1.3, connect 4, plaid-compat 1.2. A native request continues with its idempotency key and
 * the checks of its link, a SimpleFIN claim with its setup token.
 */
export const CHECKS = {
  native: [
    'declared size',
    'media type',
    'credential',
    'scope',
    'environment',
    'rate limit',
    'sandbox calls',
    'body',
    'version',
    'shape',
  ],
  connect: ['declared size', 'media type', 'credential', 'rate limit', 'body', 'shape'],
  plaid: [
    'declared body',
    // Before any byte of the body is read.
    'key pair in headers',
    'body',
    'key pair in body',
    'environment',
    'scope',
    'shape',
    'Item',
    // Before "removed Item", so that calls for removed Items are limited too.
    'rate limit',
    'removed Item',
    'sandbox calls',
  ],
  simplefin: ['declared size', 'credential', 'rate limit'],
} as const satisfies Record<ProtocolName, readonly string[]>;

export type CheckOf<P extends ProtocolName> = (typeof CHECKS)[P][number];
