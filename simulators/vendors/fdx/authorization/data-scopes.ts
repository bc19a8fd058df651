/**
 * The scopes that a client may request, in the words of the consent page. Names: FDX API 6, data
 * clusters.
 */
export const DATA_SCOPES = {
  'fdx:accountbasic:read': 'Names and types of your accounts',
  'fdx:accountdetailed:read': 'Balances and limits of your accounts',
  'fdx:transactions:read': 'What you paid and received',
  'fdx:investments:read': 'Your investments',
  'fdx:customercontact:read': 'Your name, address, phone and email',
  'fdx:paymentsupport:read': 'Account and routing numbers',
} as const;

export type DataScope = keyof typeof DATA_SCOPES;
