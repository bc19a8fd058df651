import type { IncomingHttpHeaders } from 'node:http';
import { storable } from '../../schemas/text.schema.js';
import { invalidField, missingFields } from '../errors/plaid-error.js';

const HEADERS = { client_id: 'plaid-client-id', secret: 'plaid-secret' } as const;
const NAMES = ['client_id', 'secret'] as const;

/** True when both halves of the key pair are in headers, so that no body is needed to check it. */
export function hasHeaderCredentials(headers: IncomingHttpHeaders): boolean {
  return NAMES.every((name) => headers[HEADERS[name]] !== undefined);
}

/** Reads client_id and secret, each from its header, else from the body. Source: plaid-compat 1.2. @throws PlaidError */
export function readPlaidCredentials(
  headers: IncomingHttpHeaders,
  body: Readonly<Record<string, unknown>>,
): { clientId: string; secret: string } {
  const given = {
    client_id: headers[HEADERS.client_id] ?? body['client_id'],
    secret: headers[HEADERS.secret] ?? body['secret'],
  };
  const absent = NAMES.filter((name) => given[name] === undefined);
  if (absent.length > 0) throw missingFields(absent);
  const [clientId, secret] = NAMES.map((name) => {
    const value = given[name];
    if (typeof value !== 'string' || value === '' || !storable(value))
      throw invalidField(`${name} must be a non-empty string`);
    return value;
  });
  return { clientId: clientId ?? '', secret: secret ?? '' };
}
