/** Differences between this layer and Plaid, in the order of plaid-compat 11. */
export const DEVIATIONS: readonly string[] = [
  'Products are auth, identity, transactions, investments, liabilities and, always on, balance. Others are rejected, or ignored in optional lists and, with Sandbox keys, in products. Their endpoints return 404.',
  'There is one base URL for both environments; the key pair decides. balance is accepted as a product when a link token is created.',
  '/accounts/balance/get waits at most 25 seconds, then returns INSTITUTION_NOT_RESPONDING.',
  'While a login is required, every product read fails with ITEM_LOGIN_REQUIRED, although the native API still returns stored data; update_type is then user_present_required.',
  'item_id equals the native link_id, and several access tokens of one Item may be valid.',
  'A posted transaction has its native id; a pending one has a derived id that the native API does not know.',
  'All owners of one account are one object. Unknown request fields are ignored, not rejected.',
  'Categories are mapped from ours, version v1 unless v2 is requested, confidence UNKNOWN; an unclassified row has the fallback of its taxonomy.',
  'There are no locations or logos. Counterparties are merchants; the parties of transfers are in payment_meta, without their account numbers.',
  'The format of webhooks follows the API that created the link. Links of the native API are reachable only after an exchange through this layer.',
  'A cursor of an account stream is refused without its account_id, and the reverse.',
  'Rate limits are ours. A used-up trial returns CREDITS_EXHAUSTED; removing an Item frees capacity.',
  'Link customization and appearance settings are ignored; the theme of Connect applies.',
  'In Sandbox the ids of the published test institutions and of some large banks are aliases of the sandbox banks, /sandbox/transactions/create works on every Item, other institutions of Plaid are unknown, and the JSON of a custom user is read only from override_password of /sandbox/public_token/create.',
];
