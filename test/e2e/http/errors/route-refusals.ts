import {
  invalid,
  unknownAddress,
  wrongMethod,
  unsupportedVersion,
  unknownInstitution,
  type Refusal,
} from './refusal.js';

export const ofRoutes: Refusal[] = [
  ['an unknown address', 'GET /nope', unknownAddress],
  ['an unknown address below a known one', 'GET /links/x/nope', unknownAddress],
  ['an unknown address that cannot be decoded', 'GET /nope/%ZZ', unknownAddress],
  ['a wrong method', 'PUT /links', wrongMethod],
  [
    'an unknown version',
    'GET /links',
    unsupportedVersion,
    { headers: { 'service-version': '2024-01-01' } },
  ],
  [
    'a malformed version',
    'GET /links',
    unsupportedVersion,
    { headers: { 'service-version': 'latest' } },
  ],
  [
    'the monogram of an unknown institution',
    'GET /institutions/no_one/avatar.svg',
    unknownInstitution,
    { token: null },
  ],
  [
    'a monogram that cannot be decoded',
    'GET /institutions/%E0%A4%A/avatar.svg',
    invalid('path.institution_id'),
    { token: null },
  ],
];
