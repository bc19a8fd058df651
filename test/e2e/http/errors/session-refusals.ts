import type { ApiRequest } from '../../../support/services/api-client.js';
import { BANK } from '../../../support/services/api-in-process.js';
import { invalid, unsupportedMediaType, tooLarge, unknownLink, type Refusal } from './refusal.js';

const session = (json: unknown): ApiRequest => ({ json });
export const user = { customer_user: { id: 'u' } };
/** A valid request but for these fields. */
const wrong = (title: string, locations: string | string[], fields: object): Refusal => [
  title,
  'POST /link-session',
  invalid(...[locations].flat()),
  session({ ...user, ...fields }),
];
const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as unknown;

export const ofSessions: Refusal[] = [
  ['a missing body', 'POST /link-session', invalid('body')],
  [
    'malformed JSON',
    'POST /link-session',
    invalid('body'),
    { raw: '{"a":', headers: { 'content-type': 'application/json' } },
  ],
  [
    'JSON that is not UTF-8',
    'POST /link-session',
    invalid('body'),
    {
      raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      headers: { 'content-type': 'application/json' },
    },
  ],
  ['an array', 'POST /link-session', invalid('body'), session([])],
  ['a form', 'POST /link-session', unsupportedMediaType, { form: { a: 'b' } }],
  [
    'an unsupported charset',
    'POST /link-session',
    unsupportedMediaType,
    { raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
  ],
  [
    'more than a megabyte',
    'POST /link-session',
    tooLarge,
    session({ ...user, x: 'x'.repeat(1024 * 1024) }),
  ],
  ['an empty object', 'POST /link-session', invalid('body.customer_user'), session({})],
  [
    'an empty user id',
    'POST /link-session',
    invalid('body.customer_user.id'),
    session({ customer_user: { id: '' } }),
  ],
  [
    'a user id of 151 characters',
    'POST /link-session',
    invalid('body.customer_user.id'),
    session({ customer_user: { id: 'x'.repeat(151) } }),
  ],
  [
    'a user id with U+0000',
    'POST /link-session',
    invalid('body.customer_user.id'),
    session({ customer_user: { id: 'a\u0000' } }),
  ],
  [
    'a lone surrogate',
    'POST /link-session',
    invalid('body.customer_user.id'),
    {
      raw: '{"customer_user":{"id":"\\ud800"}}',
      headers: { 'content-type': 'application/json' },
    },
  ],
  [
    'a short e-mail',
    'POST /link-session',
    invalid('body.customer_user.email.address'),
    session({ customer_user: { id: 'u', email: { address: 'a@b' } } }),
  ],
  [
    'an invalid timestamp',
    'POST /link-session',
    invalid('body.customer_user.phone.customer_verified_at'),
    session({
      customer_user: {
        id: 'u',
        phone: { number: '+1614555', customer_verified_at: 'yesterday' },
      },
    }),
  ],
  wrong('an unknown product', 'body.settings.products.1', {
    settings: { products: ['identity', 'loans'] },
  }),
  wrong('an unknown product with settings', 'body.settings.products.loans', {
    settings: { products: { loans: {} } },
  }),
  wrong('an unknown product in products_settings', 'body.products_settings.loans', {
    products_settings: { loans: {} },
  }),
  wrong('an unknown product in the alias', 'body.product_settings.loans', {
    product_settings: { loans: {} },
  }),
  wrong('a setting that is not a boolean', 'body.products_settings.identity.required', {
    products_settings: { identity: { required: 'yes' } },
  }),
  wrong('a long reason', 'body.products_settings.identity.reason', {
    products_settings: { identity: { reason: 'x'.repeat(121) } },
  }),
  wrong('an unknown country', 'body.settings.countries.1', {
    settings: { countries: ['US', 'CH'] },
  }),
  wrong('an unknown provider', 'body.settings.providers.0', {
    settings: { providers: ['no_one'] },
  }),
  wrong('a deeply nested theme', 'body.settings.theme', { settings: { theme: deep } }),
  wrong('an invalid tag', 'body.tags.1', { tags: ['ok', '-no'] }),
  wrong('aliases that contradict their fields', ['body.link_tags', 'body.product_settings'], {
    tags: ['ok'],
    link_tags: ['other'],
    products_settings: {},
    product_settings: { identity: { required: true } },
  }),
  wrong('an invalid tag under the alias', 'body.link_tags.0', { link_tags: [''] }),
  wrong('51 tags', 'body.tags', { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }),
  wrong('a relative redirect_uri', 'body.redirect_uri', { redirect_uri: '/return' }),
  wrong('a redirect_uri with query', 'body.redirect_uri', {
    redirect_uri: 'https://app.example/return?a=b',
  }),
  wrong('a redirect_uri with fragment', 'body.redirect_uri', {
    redirect_uri: 'https://app.example/return#',
  }),
  wrong('a public http redirect_uri', 'body.redirect_uri', {
    redirect_uri: 'http://app.example/return',
  }),
  wrong('a javascript: redirect_uri', 'body.redirect_uri', { redirect_uri: 'javascript:/alert' }),
  wrong('a webhook in a private network', 'body.webhook', { webhook: 'https://10.0.0.1/hook' }),
  wrong('a webhook on loopback in decimal notation', 'body.webhook', {
    webhook: 'http://2130706433/hook',
  }),
  wrong('a webhook with a password', 'body.webhook', { webhook: 'https://a:b@app.example/hook' }),
  wrong('a webhook of 2,049 characters', 'body.webhook', {
    webhook: `https://app.example/${'x'.repeat(2029)}`,
  }),
  wrong('an unknown institution', 'body.institution_id', { institution_id: 'no_one' }),
  wrong('an institution of the other environment', 'body.institution_id', {
    institution_id: 'live-bank',
  }),
  wrong('an institution without a required product', 'body.institution_id', {
    institution_id: BANK,
    products_settings: { identity: { required: true } },
  }),
  wrong('an OAuth institution without redirect_uri', 'body.redirect_uri', {
    institution_id: 'sandbox-oauth-bank',
  }),
  wrong('a feature that is not a boolean', 'body.connect_features.issue_reporter', {
    connect_features: { issue_reporter: 1 },
  }),
  [
    'several mistakes at once',
    'POST /link-session',
    invalid('body.customer_user.id', 'body.webhook', 'body.tags'),
    session({ customer_user: {}, tags: 1, webhook: 2 }),
  ],
  [
    'a feature the app is not entitled to',
    'POST /link-session',
    { status: 403, code: 'link_session_error.forbidden_config' },
    session({ ...user, connect_features: { issue_reporter: true } }),
  ],
  [
    'an unknown world',
    'POST /link-session',
    { status: 404, code: 'sandbox_error.not_found' },
    session({ ...user, world_id: 'wld_nobody' }),
  ],
  [
    'relinking an unknown link',
    'POST /link-session',
    unknownLink,
    session({ ...user, existing_link_id: 'mk_nobody' }),
  ],
  [
    'an exchange without a token',
    'POST /link-session/exchange-token',
    invalid('body.exchangeable_token'),
    session({}),
  ],
  [
    'an exchange of a number',
    'POST /link-session/exchange-token',
    invalid('body.exchangeable_token'),
    session({ exchangeable_token: 1 }),
  ],
  [
    'an exchange of an unknown token',
    'POST /link-session/exchange-token',
    { status: 400, code: 'link_session_error.invalid_token_exchange' },
    session({ exchangeable_token: 'sandbox_xt_unknown' }),
  ],
  [
    'a large exchange',
    'POST /link-session/exchange-token',
    tooLarge,
    session({ exchangeable_token: 'x'.repeat(257 * 1024) }),
  ],
];
