import {
  invalid,
  unsupportedVersion,
  unknownLink,
  foreignLink,
  deletedLink,
  badState,
  notGranted,
  type Refusal,
} from './refusal.js';

const PRODUCTS = [
  'accounts',
  'accounts/acc_nobody',
  'accounts/numbers',
  'identity',
  'transactions',
  'transactions/sync',
];

export const ofProducts: Refusal[] = [
  ...PRODUCTS.flatMap((read): Refusal[] => [
    [`${read} of an unknown link`, `GET /links/no_one/${read}`, unknownLink],
    [`${read} of a foreign link`, `GET /links/{foreign}/${read}`, foreignLink],
    [`${read} of a deleted link`, `GET /links/{deleted}/${read}`, deletedLink],
    [`${read} of a link being connected`, `GET /links/{connecting}/${read}`, badState],
    [`${read} of a link not exchanged`, `GET /links/{awaiting_token_exchange}/${read}`, badState],
    [`${read} of a link never connected`, `GET /links/{failed}/${read}`, badState],
  ]),
  ['a product not granted', 'GET /links/{without_transactions}/transactions', notGranted],
  [
    'sync of a product not granted',
    'GET /links/{without_transactions}/transactions/sync',
    notGranted,
  ],
  [
    'numbers that are not granted',
    'GET /links/{without_transactions}/accounts/numbers',
    notGranted,
  ],
  ['identity that is not granted', 'GET /links/{without_transactions}/identity', notGranted],
  ['a product never fetched in error', 'GET /links/{broken}/transactions', badState],
  ['numbers never fetched in error', 'GET /links/{broken}/accounts/numbers', badState],
  ['identity never fetched in error', 'GET /links/{broken}/identity', badState],
  ['an unknown account', 'GET /links/{connected}/accounts/acc_nobody', unknownLink],
  [
    'an account that cannot be decoded',
    'GET /links/{connected}/accounts/%ff',
    invalid('path.account_id'),
  ],
  [
    'numbers of an account with U+0000',
    'GET /links/{connected}/accounts/numbers?account_ids=%00',
    invalid('query.account_ids'),
  ],
  [
    'identity with an unknown version',
    'GET /links/{connected}/identity',
    unsupportedVersion,
    { headers: { 'service-version': '2020-01-01' } },
  ],
  ['page 0', 'GET /links/{connected}/transactions?page=0', invalid('query.page')],
  [
    'a page number that is too large',
    'GET /links/{connected}/transactions?page=99999999999999999999',
    invalid('query.page'),
  ],
  ['size 1001', 'GET /links/{connected}/transactions?size=1001', invalid('query.size')],
  [
    'an invalid date',
    'GET /links/{connected}/transactions?start_date=2026-02-30',
    invalid('query.start_date'),
  ],
  [
    'a timestamp instead of a date',
    'GET /links/{connected}/transactions?end_date=2026-02-01T00:00:00',
    invalid('query.end_date'),
  ],
  [
    'an end date before the start date',
    'GET /links/{connected}/transactions?start_date=2026-02-02&end_date=2026-02-01',
    invalid('query.start_date'),
  ],
  [
    'an account id with U+0000',
    'GET /links/{connected}/accounts?account_ids=a%00',
    invalid('query.account_ids'),
  ],
  ['sync of size 0', 'GET /links/{connected}/transactions/sync?size=0', invalid('query.size')],
  ['sync of size 501', 'GET /links/{connected}/transactions/sync?size=501', invalid('query.size')],
  [
    'sync with a negative size',
    'GET /links/{connected}/transactions/sync?size=-1',
    invalid('query.size'),
  ],
  [
    'sync with a made-up cursor',
    'GET /links/{connected}/transactions/sync?cursor=AAAA',
    invalid('query.cursor'),
  ],
];
