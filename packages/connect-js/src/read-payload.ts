import { isRecord } from '../../connect-protocol/src/envelope.js';
import {
  BARE_ERROR,
  type ConnectError,
  type ConnectEvent,
  type ConnectExit,
  type ConnectSuccess,
} from '../../connect-protocol/src/payloads.js';

// The hosted app is trusted; these checks only keep a message of another version from being
// misread.
type Payload = Record<string, unknown>;

export function readSession(
  payload: Payload,
): { session_id: string; mode: 'link' | 'relink' } | undefined {
  const { session_id, mode } = payload;
  return typeof session_id === 'string'
    ? { session_id, mode: mode === 'relink' ? 'relink' : 'link' }
    : undefined;
}

export function readConnectEvent(payload: Payload): ConnectEvent | undefined {
  const { name, properties, meta } = payload;
  if (typeof name !== 'string' || !isRecord(meta)) return undefined;
  return {
    ...payload,
    properties: isRecord(properties) ? properties : {},
    meta: withTexts(meta, META),
  } as unknown as ConnectEvent;
}

export function readConnectError(payload: Payload): ConnectError | undefined {
  if (typeof payload['error_id'] !== 'string') return undefined;
  return withTexts(payload, BARE_ERROR) as unknown as ConnectError;
}

export function readConnectSuccess(payload: Payload): ConnectSuccess | undefined {
  const { mode, exchangeable_token, confirmation_token, institution, accounts } = payload;
  const isWhole =
    mode === 'relink'
      ? confirmation_token === undefined || typeof confirmation_token === 'string'
      : mode === 'link' && typeof exchangeable_token === 'string';
  if (!isWhole) return undefined;
  const success = {
    ...withTexts(payload, SUCCESS),
    institution: readInstitution(institution),
    accounts: Array.isArray(accounts) ? accounts.flatMap(readAccount) : [],
  };
  if (typeof payload['expires_in'] !== 'number') delete (success as Payload)['expires_in'];
  return success as unknown as ConnectSuccess;
}

export function readConnectExit(payload: Payload): ConnectExit | undefined {
  if (typeof payload['reason'] !== 'string') return undefined;
  const error = isRecord(payload['error']) ? readConnectError(payload['error']) : undefined;
  return {
    ...withTexts(payload, { session_id: null, search_term: null }),
    institution: readInstitution(payload['institution']),
    error: error ?? null,
  } as unknown as ConnectExit;
}

// Defaults of missing members; undefined: no default.
const META = {
  link_type: 'link',
  timestamp: '',
  link_session_id: null,
  institution_id: undefined,
  institution_name: undefined,
};
const SUCCESS = { session_id: null, public_token: undefined, existing_link_id: undefined };
const INSTITUTION = {
  name: '',
  country: '',
  domain: null,
  color: null,
  color_dark: null,
  logo_url: null,
};
const ACCOUNT = { account_type: '', name: '', account_mask: null };

/** A member that is not a text where the contract has one counts as missing. */
function withTexts(payload: Payload, defaults: Payload): Payload {
  const read = { ...payload };
  for (const [name, value] of Object.entries(defaults)) {
    if (typeof read[name] === 'string') continue;
    if (value === undefined) delete read[name];
    else read[name] = value;
  }
  return read;
}

function readInstitution(value: unknown): Payload | null {
  return isRecord(value) && typeof value['institution_id'] === 'string'
    ? withTexts(value, INSTITUTION)
    : null;
}

function readAccount(value: unknown): Payload[] {
  return isRecord(value) && typeof value['account_id'] === 'string'
    ? [withTexts(value, ACCOUNT)]
    : [];
}
