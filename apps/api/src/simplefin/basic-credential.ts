import { isCredential } from '../../../../domain/simplefin/setup-token.js';

/** The credential of an `Authorization: Basic` header; null = none that this server gives out. */
export function readCredential(authorization: string | undefined): string | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/]{1,200}={0,2})$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const credential = Buffer.from(encoded, 'base64').toString('latin1');
  return isCredential(credential) ? credential : null;
}
