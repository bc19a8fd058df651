import { isStorableText } from '../storage/storable-text.js';
import { BankError } from './bank-error.js';

/** A text of a JSON body. Throws `invalid_request` for an invalid value. */
export function readText(
  body: Readonly<Record<string, unknown>>,
  name: string,
  maxLength: number,
): string {
  const value = body[name];
  const isText = typeof value === 'string' && value.length >= 1 && value.length <= maxLength;
  if (!isText || !isStorableText(value)) {
    throw new BankError('invalid_request', `${name} must be text of 1..${maxLength} characters.`);
  }
  return value;
}

export function readTextOrNull(
  body: Readonly<Record<string, unknown>>,
  name: string,
  maxLength: number,
): string | null {
  return body[name] === undefined || body[name] === null ? null : readText(body, name, maxLength);
}
