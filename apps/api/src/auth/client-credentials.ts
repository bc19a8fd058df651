import { storable } from '../schemas/text.schema.js';

/** The key pair of a token call, and the form in which it was sent. */
export interface SentCredentials {
  clientId: string;
  secret: string;
  /** Sent with Basic authentication, so a rejection requests Basic. */
  basic: boolean;
}

export type ParsedCredentials =
  | { kind: 'given'; credentials: SentCredentials }
  | { kind: 'missing'; basic: boolean }
  /** The header and the form name different clients. */
  | { kind: 'conflict' };

interface TokenForm {
  client_id?: string;
  client_secret?: string;
}

/** Reads the key pair from the Authorization header or the form. Source: native-api 3.1. */
export function readCredentials(
  authorization: string | undefined,
  form: TokenForm,
): ParsedCredentials {
  const basic = /^basic(?: (.*))?$/i.exec(authorization ?? '');
  if (basic === null) {
    const { client_id: clientId = '', client_secret: secret = '' } = form;
    return clientId === '' || secret === ''
      ? { kind: 'missing', basic: false }
      : { kind: 'given', credentials: { clientId, secret, basic: false } };
  }
  const pair = decodeBasic(basic[1] ?? '');
  if (pair === null) return { kind: 'missing', basic: true };
  if (form.client_id !== undefined && form.client_id !== '' && form.client_id !== pair.clientId)
    return { kind: 'conflict' };
  return { kind: 'given', credentials: { ...pair, basic: true } };
}

function decodeBasic(encoded: string): { clientId: string; secret: string } | null {
  const text = Buffer.from(encoded.trim(), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || !storable(text)) return null;
  return {
    clientId: formDecoded(text.slice(0, colon)),
    secret: formDecoded(text.slice(colon + 1)),
  };
}

/** RFC 6749 2.3.1: both halves are form-encoded before they are joined; many clients skip that. */
function formDecoded(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return storable(decoded) ? decoded : text;
  } catch {
    return text;
  }
}
