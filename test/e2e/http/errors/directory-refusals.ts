import { invalid, unauthorized, wrongMethod, unknownInstitution, type Refusal } from './refusal.js';

export const ofInstitutions: Refusal[] = [
  ['an unknown institution', 'GET /institutions/no_one', unknownInstitution],
  ['an institution of the other environment', 'GET /institutions/live-bank', unknownInstitution],
  [
    'an institution that cannot be decoded',
    'GET /institutions/%ff',
    invalid('path.institution_id'),
  ],
  ['an institution limit of 0', 'GET /institutions?limit=0', invalid('query.limit')],
  [
    'an institution limit above the maximum',
    'GET /institutions?limit=1001',
    invalid('query.limit'),
  ],
  ['an invalid boolean', 'GET /institutions?featured=yes', invalid('query.featured')],
  [
    'a boolean given twice',
    'GET /institutions?featured=true&featured=true',
    invalid('query.featured'),
  ],
  ['a made-up cursor', 'GET /institutions?cursor=AAAA', invalid('query.cursor')],
  ['a name with U+0000', 'GET /institutions?name=%00', invalid('query.name')],
  ['institutions without a token', 'GET /institutions', unauthorized, { token: null }],
];

export const ofUsers: Refusal[] = [
  ['a user that cannot be decoded', 'GET /users/%ff/accounts', invalid('path.id')],
  ['page 0 of a user', 'GET /users/u/transactions?page=0', invalid('query.page')],
  ['size 1001 of a user', 'GET /users/u/transactions?size=1001', invalid('query.size')],
  [
    'an unknown transaction type',
    'GET /users/u/transactions?transaction_type=transfer',
    invalid('query.transaction_type'),
  ],
  [
    'an unknown category',
    'GET /users/u/transactions?category=income.wages,food',
    invalid('query.category'),
  ],
  [
    'an unknown subgroup of a category',
    'GET /users/u/transactions?category=income.groceries',
    invalid('query.category'),
  ],
  [
    'an invalid date for the transactions of a user',
    'GET /users/u/transactions?end_date=2026-13-01',
    invalid('query.end_date'),
  ],
  [
    'an end date before the start date for a user',
    'GET /users/u/transactions?start_date=2026-02-02&end_date=2026-02-01',
    invalid('query.start_date'),
  ],
  ['a user without a token', 'GET /users/u/links', unauthorized, { token: null }],
  ['a wrong method for a user', 'POST /users/u/links', wrongMethod],
];
