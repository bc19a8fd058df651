/** One request of a flood, as the program `flood-sender.mjs` sends it. */
export interface FloodRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /**
   * The bytes that the request declares beyond its body and never sends. Its connection stays open,
   * waiting.
   */
  missing?: number;
}

const JSON_BODY = { 'content-type': 'application/json' };
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN = { authorization: 'Bearer unknown' };
const TOKEN_FORM = 'grant_type=client_credentials&client_id=live_unknown&client_secret=unknown';
/** 1 MiB in all: the largest body that any call accepts. */
const LARGEST = 1024 * 1024;

/** JSON of about this many bytes, within the limits of native-api 1.4. */
function jsonOf(bytes: number, fields: object): string {
  const padding = Array.from({ length: Math.floor(bytes / 60_000) }, () => 'a'.repeat(59_990));
  return JSON.stringify({ ...fields, padding });
}

const post = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
  ({ method: 'POST', path, headers, body }) as const;
const get = (path: string) => ({ method: 'GET', path, headers: {}, body: '' }) as const;
/** All but the last bytes of the largest body. */
const half = (path: string, headers: Readonly<Record<string, string>>): FloodRequest => ({
  ...post(path, { ...JSON_BODY, ...headers }, `{"padding":"${'a'.repeat(LARGEST - 2_000)}`),
  missing: 1_000,
});

const PLAID = { client_id: 'live_unknown', secret: 'unknown', access_token: 'unknown' };
const OPEN = {
  link_session_token: 'live_lst_3FPBVqADyP2iKxUFgN4KLm3FPBVqADyP2iKxUFgN4',
  request_id: '00000000-0000-4000-8000-000000000000',
  platform: 'web',
};

/** Requests that a stranger without a key pair or token can send, many at once. */
export const ANONYMOUS_FLOODS: Readonly<Record<string, readonly FloodRequest[]>> = {
  'half-sent bodies': [
    half('/item/get', {}),
    half('/link-session', UNKNOWN),
    half('/links/import', {}),
    { ...post('/auth/token', FORM_BODY, TOKEN_FORM), missing: 1_000 },
    { ...post('/connect/api/session/open', JSON_BODY, jsonOf(200_000, OPEN)), missing: 1_000 },
  ],
  'whole bodies with wrong tokens': [
    post('/link-session', { ...JSON_BODY, ...UNKNOWN }, jsonOf(LARGEST - 100_000, {})),
    post('/connect/api/session/step', { ...JSON_BODY, ...UNKNOWN }, jsonOf(200_000, {})),
  ],
  'token calls with wrong secrets': [
    post('/auth/token', FORM_BODY, TOKEN_FORM),
    post('/oauth/token', FORM_BODY, TOKEN_FORM),
  ],
  'Connect sessions opened with unknown tokens': [
    post('/connect/api/session/open', JSON_BODY, JSON.stringify(OPEN)),
  ],
  'Plaid calls with wrong keys': [
    post('/item/get', JSON_BODY, JSON.stringify(PLAID)),
    post('/item/get', JSON_BODY, jsonOf(900_000, PLAID)),
    post(
      '/item/get',
      { ...JSON_BODY, 'plaid-client-id': 'live_unknown', 'plaid-secret': 'unknown' },
      JSON.stringify(PLAID),
    ),
  ],
  'static files': [get('/connect'), get('/connect/plaid/link-initialize.js'), get('/docs')],
  'the OpenAPI document': [get('/openapi.json')],
};
