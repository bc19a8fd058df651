import type { ApiRequest } from '../../../support/services/api-client.js';
import { BANK } from '../../../support/services/api-in-process.js';
import { invalid, unsupportedMediaType, tooLarge, unknownLink, type Refusal } from './refusal.js';

const session = (json: unknown): ApiRequest => ({ json });
export const user = { customer_user: { id: 'u' } };
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
  [
    'an unknown product',
    'POST /link-session',
    invalid('body.settings.products.1'),
    session({ ...user, settings: { products: ['identity', 'loans'] } }),
  ],
  [
    'an unknown product with settings',
    'POST /link-session',
    invalid('body.settings.products.loans'),
    session({ ...user, settings: { products: { loans: {} } } }),
  ],
  [
    'an unknown product in products_settings',
    'POST /link-session',
    invalid('body.products_settings.loans'),
    session({ ...user, products_settings: { loans: {} } }),
  ],
  [
    'an unknown product in the alias',
    'POST /link-session',
    invalid('body.product_settings.loans'),
    session({ ...user, product_settings: { loans: {} } }),
  ],
  [
    'a setting that is not a boolean',
    'POST /link-session',
    invalid('body.products_settings.identity.required'),
    session({ ...user, products_settings: { identity: { required: 'yes' } } }),
  ],
  [
    'a long reason',
    'POST /link-session',
    invalid('body.products_settings.identity.reason'),
    session({ ...user, products_settings: { identity: { reason: 'x'.repeat(121) } } }),
  ],
  [
    'an unknown country',
    'POST /link-session',
    invalid('body.settings.countries.1'),
    session({ ...user, settings: { countries: ['US', 'CH'] } }),
  ],
  [
    'an unknown provider',
    'POST /link-session',
    invalid('body.settings.providers.0'),
    session({ ...user, settings: { providers: ['no_one'] } }),
  ],
  [
    'a deeply nested theme',
    'POST /link-session',
    invalid('body.settings.theme'),
    session({ ...user, settings: { theme: deep } }),
  ],
  [
    'an invalid tag',
    'POST /link-session',
    invalid('body.tags.1'),
    session({ ...user, tags: ['ok', '-no'] }),
  ],
  [
    'aliases that contradict their fields',
    'POST /link-session',
    invalid('body.link_tags', 'body.product_settings'),
    session({
      ...user,
      tags: ['ok'],
      link_tags: ['other'],
      products_settings: {},
      product_settings: { identity: { required: true } },
    }),
  ],
  [
    'an invalid tag under the alias',
    'POST /link-session',
    invalid('body.link_tags.0'),
    session({ ...user, link_tags: [''] }),
  ],
  [
    '51 tags',
    'POST /link-session',
    invalid('body.tags'),
    session({ ...user, tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }),
  ],
  [
    'a relative redirect_uri',
    'POST /link-session',
    invalid('body.redirect_uri'),
    session({ ...user, redirect_uri: '/return' }),
  ],
  [
    'a redirect_uri with query',
    'POST /link-session',
    invalid('body.redirect_uri'),
    session({ ...user, redirect_uri: 'https://app.example/return?a=b' }),
  ],
  [
    'a redirect_uri with fragment',
    'POST /link-session',
    invalid('body.redirect_uri'),
    session({ ...user, redirect_uri: 'https://app.example/return#' }),
  ],
  [
    'a public http redirect_uri',
    'POST /link-session',
    invalid('body.redirect_uri'),
    session({ ...user, redirect_uri: 'http://app.example/return' }),
  ],
  [
    'a javascript: redirect_uri',
    'POST /link-session',
    invalid('body.redirect_uri'),
    session({ ...user, redirect_uri: 'javascript:/alert' }),
  ],
  [
    'a webhook in a private network',
    'POST /link-session',
    invalid('body.webhook'),
    session({ ...user, webhook: 'https://10.0.0.1/hook' }),
  ],
  [
    'a webhook on loopback in decimal notation',
    'POST /link-session',
    invalid('body.webhook'),
    session({ ...user, webhook: 'http://2130706433/hook' }),
  ],
  [
    'a webhook with a password',
    'POST /link-session',
    invalid('body.webhook'),
    session({ ...user, webhook: 'https://a:b@app.example/hook' }),
  ],
  [
    'a webhook of 2,049 characters',
    'POST /link-session',
    invalid('body.webhook'),
    session({ ...user, webhook: `https://app.example/${'x'.repeat(2029)}` }),
  ],
  [
    'an unknown institution',
    'POST /link-session',
    invalid('body.institution_id'),
    session({ ...user, institution_id: 'no_one' }),
  ],
  [
    'an institution of the other environment',
    'POST /link-session',
    invalid('body.institution_id'),
    session({ ...user, institution_id: 'live-bank' }),
  ],
  [
    'an institution without a required product',
    'POST /link-session',
    invalid('body.institution_id'),
    session({
      ...user,
      institution_id: BANK,
      products_settings: { identity: { required: true } },
    }),
  ],
  [
    'an OAuth institution without redirect_uri',
    'POST /link-session',
    invalid('body.redirect_uri'),
    session({ ...user, institution_id: 'sandbox-oauth-bank' }),
  ],
  [
    'a feature that is not a boolean',
    'POST /link-session',
    invalid('body.connect_features.issue_reporter'),
    session({ ...user, connect_features: { issue_reporter: 1 } }),
  ],
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
