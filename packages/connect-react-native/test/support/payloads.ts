import { createHash } from 'node:crypto';

export const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
export const OTHER_STATE_ID = '7f3c2e1d-6b5a-4c4d-8e9f-0a1b2c3d4e5f';
/** `state_hash` of the first one. */
export const STATE_HASH = createHash('sha256').update(STATE_ID).digest('base64url');
export const RETURN = `pocketledger://bank-return?oauth_state_id=${STATE_ID}`;
export const INSTITUTION = {
  institution_id: 'credentials-bank',
  name: 'Credentials Bank',
  country: 'US',
  domain: null,
  color: null,
  color_dark: null,
  logo_url: null,
};
export const LINKED = {
  mode: 'link',
  exchangeable_token: 'xt_1',
  expires_in: 1800,
  session_id: 's1',
  institution: INSTITUTION,
  accounts: [],
};
export const EXITED = {
  reason: 'user_closed',
  error: null,
  session_id: 's1',
  institution: null,
  search_term: null,
};
export const BANK_DOWN = {
  error_id: 'link_error.institution_unavailable',
  displayed_message: 'The bank is down.',
  request_id: null,
  fault: 'institution',
  link_error: null,
};
