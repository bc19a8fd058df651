import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import documented from '../../../docs/openapi.json' with { type: 'json' };
import { ApiClient, type ApiResponse } from '../../support/services/api-client.js';
import { bodies } from './openapi-fuzz/bodies.js';
import { operationsOf, type Document, type Operation } from './openapi-fuzz/operations.js';
import { queries } from './openapi-fuzz/queries-and-forms.js';
import { shareService } from '../../support/fixtures/shared-service.js';
import { SEED } from '../../support/runner/seed.js';

/** Requests to each call; `npm run test:all` sets FUZZ_CASES for more. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 8);
const INVALID = 'api_error.request.validation_failed';
/**
 * Rules between fields, or about existing data, that no JSON Schema can express. The document
 * states them in words, which include `words`.
 */
const IN_WORDS: readonly { location: RegExp; message: RegExp; words: string }[] = [
  {
    location: /^query\.(cursor|after)$/,
    message: /not valid|does not belong|another list/,
    words: 'any other text is refused',
  },
  { location: /^query\.from$/, message: /after to|before to/, words: 'Not after `to`' },
  { location: /^query\.start_date$/, message: /after end_date/, words: 'Not after `end_date`' },
  {
    location: /^body\.(start|to)$|created_|since$/,
    message: /1970 to 9000/,
    words: 'of the years 1970 to 9000',
  },
  {
    location: /^body\.(link_tags|product_settings)$/,
    message: /alias of/i,
    words: 'Alias of',
  },
  {
    location: /tags?(\.\d+)?$/,
    message: /begin with a letter or digit/,
    words: 'Begins with a letter or digit',
  },
  {
    location: /date$|transacted_at$/,
    message: /date or an ISO 8601 timestamp/,
    words: 'A date or an ISO 8601 timestamp',
  },
  {
    location: /transacted_at$/,
    message: /date or a local timestamp/,
    words: 'A date or a local timestamp',
  },
  { location: /routing_number$/, message: /ABA/, words: 'that pass the ABA check' },
  {
    location: /^body.custom_sandbox_data$/,
    message: /^Only/,
    words: 'Only with the user name user_custom',
  },
  {
    location: /^query\.(include|state)$/,
    message: /updated_since/,
    words: 'Not with `updated_since`',
  },
  {
    location: /^body\.custom_sandbox_data\.\w+\.\d+\.account$/,
    message: /./,
    words: 'Position of one of `accounts`',
  },
  {
    location: /\.amount$/,
    message: /Is required, except for a transfer/,
    words: 'Required, except for a transfer',
  },
  {
    location: /\.(isin|cusip|sedol|figi)$/,
    message: /check digit/,
    words: 'with its check digit',
  },
  { location: /^query\.on$/, message: /after today/, words: 'Not after today' },
  { location: /^query\.(bom|data)$/, message: /Only csv/, words: 'Only with `csv`' },
  { location: /delay_seconds$/, message: /slow/, words: 'More than 0 for `slow`' },
  {
    location: /providers\.\d+$/,
    message: /unknown provider/i,
    words: 'Names of providers that this service has',
  },
  { location: /institution_id$/, message: /./, words: 'Of an institution that exists' },
  { location: /accounts\.\d+\.account_id$/, message: /unique/, words: 'Unique in the import' },
  { location: /transaction_id$/, message: /unique/, words: 'Unique within the account' },
  {
    location: /transactions\.\d+\.account_id$/,
    message: /not found/,
    words: 'Of an account of the same import',
  },
  { location: /transactions\.\d+\.account$/, message: /./, words: 'Position of one of `accounts`' },
  {
    location: /^body(\.(by|to))?$/,
    message: /by or to|forward|366 days|back/,
    words: 'Either `by` or `to`',
  },
];

const document = documented as unknown as Document;
const text = JSON.stringify(documented);
const calls = operationsOf(document).filter(
  ({ body, parameters }) => body !== null || parameters.some(({ in: place }) => place === 'query'),
);

let api: ApiClient;
let token: string;
let connectToken: string;
beforeAll(async () => {
  const { app, info } = await shareService();
  api = new ApiClient(info.base_url);
  const form = { client_id: app.sandbox.client_id, client_secret: app.sandbox.client_secret };
  ({ access_token: token } = valueOf(await api.post('/auth/token', { form })));
  const session = { customer_user: { id: 'user-4711' } };
  const created = await api.as(token).post('/link-session', { json: session });
  const { link_session_token: sessionToken } = valueOf<{ link_session_token: string }>(created);
  const opening = {
    link_session_token: sessionToken,
    request_id: randomUUID(),
    origin: 'https://app.example',
    platform: 'web',
  };
  const opened = await api.post('/connect/api/session/open', { json: opening });
  ({ connect_token: connectToken } = valueOf<{ connect_token: string }>(opened));
});

function valueOf<T = { access_token: string }>({ body }: ApiResponse): T {
  return body as T;
}

/** Only the document decides which requests are sent. */
function requestsOf({ name, body, parameters }: Operation) {
  // A long poll would wait.
  const known = { wait: fc.constant(0) };
  const context = { components: document.components.schemas, known, examples: {} };
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  return fc.record({
    query: queries(inQuery, context, false),
    body: body === null ? fc.constant(null) : bodies(name, body, context, false),
  });
}

function unstated({ body, status }: ApiResponse): string[] {
  // An export may be a body that is no JSON.
  if (status !== 422) return [];
  const { error_code: code, validation_errors: errors = [] } = body as {
    error_code: string;
    validation_errors?: { location: (string | number)[]; message: string }[];
  };
  if (code !== INVALID) return [];
  return errors
    .map(({ location, message }) => ({ location: location.join('.'), message }))
    .filter(
      (error) =>
        !IN_WORDS.some(
          (rule) => rule.location.test(error.location) && rule.message.test(error.message),
        ),
    )
    .map(({ location, message }) => `${location}: ${message}`);
}

describe('A request that matches the OpenAPI document', () => {
  it.each(calls.map((call) => [call.name, call] as const))(
    'to %s is never refused by a rule that the document does not state',
    async (_name, call) => {
      const path = call.path.replaceAll(/\{[^}]+\}/g, 'unknown');
      const isStated = async (request: { query: string; body: string | null }) => {
        const response = await api
          .as(call.auth === 'connect' ? connectToken : token)
          .send(call.method, request.query === '' ? path : `${path}?${request.query}`, {
            ...(request.body === null ? {} : { raw: request.body }),
            headers: call.body === null ? {} : { 'content-type': call.body.mediaType },
          });
        expect(unstated(response)).toEqual([]);
      };
      await fc.assert(fc.asyncProperty(requestsOf(call), isStated), { seed: SEED, numRuns: CASES });
    },
  );

  it('follows rules that are stated in words where a schema cannot express them', () => {
    expect(IN_WORDS.filter(({ words }) => !text.includes(words))).toEqual([]);
  });
});
