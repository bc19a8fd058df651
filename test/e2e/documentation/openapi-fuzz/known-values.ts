import fc from 'fast-check';
import type { Operation } from './operations.js';
import type { Stage } from './stages.js';
import { RETURN_ADDRESS, type Resources } from './tenants.js';

const BANKS = ['sandbox-instant-bank', 'sandbox-credentials-bank', 'sandbox-oauth-bank'];
const MAGIC_USERS = [
  'user_good',
  'mfa_sms',
  'mfa_choice',
  'mfa_questions',
  'mfa_image',
  'locked',
  'no_accounts',
  'error_user_error',
  'error_incomplete',
  'user_dynamic',
  'user_custom',
  'slow_1',
];
const TEST_EVENTS = [
  'link.state_changed',
  'link.product_refresh',
  'transactions.updates_available',
  'investments.updates_available',
  'link.permission_expiring',
  'product.state_changed',
];
/** Looks like an id, but does not exist. */
const UNKNOWN = '2222222222222222222222';

const days = fc.date({
  min: new Date('2020-01-01'),
  max: new Date('2027-12-31'),
  noInvalidDate: true,
});
const day = days.map((date) => date.toISOString().slice(0, 10));
const moment = fc.oneof(
  day,
  days.map((date) => date.toISOString()),
  days.map((date) => date.toISOString().slice(0, -1)),
);
const pastMoments = fc.constantFrom(
  '2020-01-01T00:00:00',
  '2026-11-01',
  '2026-11-01T10:00:00.5+02:00',
);
const numbers = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);
const money = fc.oneof(
  numbers,
  fc.constantFrom<unknown>('12.34', '-0.01', '+5', '999999999999999999.9999999999', 0, -1e14),
);
const orNull = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.option(values, { freq: 4 });

/** Mostly ids of the caller, sometimes of another tenant or unknown ones. */
export function idsFrom(
  own: readonly string[],
  victims: readonly string[],
  prefix: string,
): fc.Arbitrary<string> {
  const [first = prefix + UNKNOWN] = own;
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(first) },
    { weight: 3, arbitrary: fc.constantFrom(...own, first) },
    { weight: 2, arbitrary: fc.constantFrom(...victims, prefix + UNKNOWN) },
    { weight: 1, arbitrary: fc.constant(prefix + UNKNOWN) },
  );
}

/** The knowledge about fields that a schema does not contain: existing ids and meaningful texts. */
export function knownValues({
  has,
  pair,
  victim,
  cursors,
  returnAddresses,
  seqs,
  webhook,
}: Stage): Record<string, fc.Arbitrary<unknown>> {
  const from = (kind: keyof Resources, prefix: string) =>
    idsFrom(has[kind], victim.has[kind], prefix);
  const links = from('links', 'mk_');
  const account = from('accounts', 'acc_');
  const banks = fc.constantFrom(...BANKS);
  return {
    link_id: links,
    existing_link_id: links,
    account_id: account,
    'account_ids[]': account,
    'account_id[]': account,
    world_id: from('worlds', 'wld_'),
    exchangeable_token: from('exchangeableTokens', 'sandbox_xt_'),
    link_session_token: fc.constantFrom(...has.sessionTokens, 'sandbox_ls_unknown'),
    cursor: fc.constantFrom('', ...cursors),
    institution_id: banks,
    'institution_id[]': banks,
    'institution_ids[]': banks,
    provider: orNull(fc.constantFrom('sandbox', 'import')),
    'providers[]': fc.constant('sandbox'),
    'tags[]': fc.stringMatching(/^[a-z0-9][a-z:]{0,20}$/),
    'link_tags[]': fc.stringMatching(/^[a-z0-9][a-z:]{0,20}$/),
    webhook: orNull(fc.constant(webhook)),
    return_url: fc.constantFrom(RETURN_ADDRESS, `${RETURN_ADDRESS}/deeper`),
    redirect_uri: fc.constantFrom(RETURN_ADDRESS, `${RETURN_ADDRESS}/deeper`),
    url: fc.constantFrom(...returnAddresses, `${RETURN_ADDRESS}?state=unknown`),
    origin: fc.constant(null),
    webhook_event: fc.constantFrom(...TEST_EVENTS),
    transaction_type: fc.constantFrom('debit', 'credit'),
    'category[]': fc.constantFrom('income.wages', 'shopping.other'),
    start_date: fc.constantFrom('1900-01-01', '2026-01-01'),
    end_date: fc.constantFrom('2027-12-31', '2026-12-31'),
    created_after: fc.constant('2020-01-01T00:00:00'),
    created_before: moment,
    created_since: pastMoments,
    since: pastMoments,
    after: fc.constantFrom('', 'AAAA'),
    event_id: from('events', 'evt_'),
    updated_since: pastMoments,
    date: day,
    balance_date: orNull(moment),
    transacted_at: orNull(moment),
    tag: fc.constantFrom('a', 'tier:gold'),
    customer_verified_at: orNull(days.map((date) => date.toISOString())),
    start: moment,
    to: moment,
    by: fc.constantFrom('PT1H', 'P1D', 'P30D', 'PT0.5S', 'P366D'),
    amount: money,
    available: orNull(money),
    current: orNull(money),
    limit: fc.integer({ min: 1, max: 50 }),
    username: fc.constantFrom(...MAGIC_USERS),
    password: fc.constantFrom('pass_good', 'pass_good', 'pass_good', 'wrong'),
    grant_type: fc.constant('client_credentials'),
    client_id: fc.constant(pair.client_id),
    client_secret: fc.constant(pair.client_secret),
    scope: fc.constantFrom('', 'links:read', 'links:read products:read'),
    // JSON Schema writes them as patterns with lookahead.
    account_number: fc.stringMatching(/^\d{8,12}$/),
    routing_number: fc.constantFrom('999000014', null),
    ref: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    seq: fc.constantFrom(...seqs, 2),
    wait: fc.constantFrom(0, 1),
    input: stepInput,
  };
}

/** Fields whose meaning differs from that in other operations. */
export function knownTo({ path }: Operation): Record<string, fc.Arbitrary<unknown>> {
  // The caller's own id of the account that `importLink` imports.
  if (path.includes('/import'))
    return { account_id: fc.oneof(fc.constant('a'), fc.uuid()), limit: orNull(money) };
  return path.startsWith('/sandbox/links/') || path === '/link-session' || path === '/sandbox/link'
    ? CUSTOM_DATA
    : {};
}

const CUSTOM_DATA = {
  amount: numbers,
  available: orNull(numbers),
  current: orNull(numbers),
  limit: orNull(numbers),
};

const amount = fc.integer({ min: 1, max: 10_000 });

export const EXAMPLES: Record<string, fc.Arbitrary<unknown>> = {
  'body of POST /link-session': fc.record({
    customer_user: fc.record({ id: fc.uuid() }),
    tags: fc.constantFrom([], ['a']),
  }),
  'body of POST /sandbox/worlds/{world_id}/advance': fc.record({
    by: fc.constantFrom('PT1H', 'P1D', 'P366D'),
  }),
  'body of POST /links/{id}/import/transactions': fc.record({
    transactions: fc.array(
      fc.record({ account_id: fc.constant('a'), amount: money, date: moment }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  script: fc
    .tuple(fc.uuid(), amount, fc.subarray(['post', 'reverse'], { maxLength: 2 }))
    .map(([ref, pending, verbs]) => [
      { verb: 'authorize', ref, amount: pending },
      ...verbs.map((verb) => ({ verb, ref })),
    ]),
};

const stepInput: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ kind: fc.constant('select_institution'), institution_id: fc.constantFrom(...BANKS) }),
  fc.record({
    kind: fc.constant('form'),
    values: fc.record({
      username: fc.constantFrom(...MAGIC_USERS),
      password: fc.constant('pass_good'),
    }),
  }),
  fc.record({
    kind: fc.constant('choice'),
    option_ids: fc.constantFrom(['sms'], [], ['email', 'sms']),
  }),
  fc.record({ kind: fc.constant('otp'), code: fc.constantFrom('123456', '0', '') }),
  fc.record({ kind: fc.constant('image'), answer: fc.constantFrom('7A3F', '') }),
  fc.record({ kind: fc.constant('select_accounts'), refs: fc.constantFrom([], ['a']) }),
  fc.record({
    kind: fc.constant('consent'),
    granted: fc.constantFrom([], ['accounts', 'transactions']),
  }),
  fc.record({ kind: fc.constant('error'), action: fc.constantFrom('retry', 'choose_another') }),
  fc.constantFrom(
    { kind: 'back' },
    { kind: 'redirect', cancel: true },
    { kind: 'wait', cancel: true },
    { kind: 'otp', resend: true },
  ),
);
