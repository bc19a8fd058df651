import type { IncomingMessage } from 'node:http';
import { BankError } from '../http/bank-error.js';
import { readBytes } from '../http/read-json-body.js';
import type { SignInForm } from './sign-in-desk.js';

const MAX_FORM_BYTES = 16 * 1024;
const MAX_NAME_CHARACTERS = 100;

/**
 * Parses the form of the sign-in page. Throws `invalid_request` for one that the page cannot have
 * sent.
 */
export async function readSignInForm(incoming: IncomingMessage): Promise<SignInForm> {
  const mediaType = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new BankError('unsupported_media_type', 'The body must be a form.');
  const form = new URLSearchParams((await readBytes(incoming, MAX_FORM_BYTES)).toString('utf8'));
  const name = (field: string): string =>
    (form.get(field) ?? '').trim().slice(0, MAX_NAME_CHARACTERS);
  return {
    decision: decisionOf(form.get('decision')),
    userName: name('user_name'),
    accountsOf: name('accounts_of'),
    accountKeys: form.getAll('account'),
  };
}

function decisionOf(value: string | null): SignInForm['decision'] {
  if (value === 'approve' || value === 'deny' || value === 'show_accounts') return value;
  throw new BankError('invalid_request', 'decision is none of the page.');
}
