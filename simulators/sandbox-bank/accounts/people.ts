/** Names and places the owners of accounts are drawn from. */
export const FIRST_NAMES: readonly [string, ...string[]] = [
  'Avery',
  'Camila',
  'Dmitri',
  'Elena',
  'Grace',
  'Hassan',
  'Jordan',
  'Kenji',
  'Leila',
  'Marcus',
  'Nadia',
  'Oliver',
  'Priya',
  'Rosa',
  'Samuel',
  'Wei',
];

export const LAST_NAMES: readonly [string, ...string[]] = [
  'Abbott',
  'Castillo',
  'Dawson',
  'Fischer',
  'Haddad',
  'Ivanova',
  'Johansson',
  'Kim',
  'Lindqvist',
  'Moreau',
  'Nakamura',
  'Okafor',
  'Patel',
  'Reyes',
  'Sullivan',
  'Tran',
];

export const STREETS: readonly [string, ...string[]] = [
  'Maple Street',
  'Oak Avenue',
  'Cedar Lane',
  'Lakeview Drive',
  'Hill Road',
  'Mill Street',
  'Park Avenue',
  'Sunset Boulevard',
];

interface Home {
  city: string;
  region: string;
  postalCode: string;
  areaCode: string;
}

export const HOMES: readonly [Home, ...Home[]] = [
  { city: 'Cedar Falls', region: 'IA', postalCode: '50613', areaCode: '319' },
  { city: 'Lakewood', region: 'CO', postalCode: '80226', areaCode: '303' },
  { city: 'Fairview', region: 'TN', postalCode: '37062', areaCode: '615' },
  { city: 'Westfield', region: 'NJ', postalCode: '07090', areaCode: '908' },
  { city: 'Ashford', region: 'CT', postalCode: '06278', areaCode: '860' },
];
