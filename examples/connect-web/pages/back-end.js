// The page's side of its own back end, which is `sample-app.mjs`.
export async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `${method} ${path}: ${response.status}`);
  return answer;
}

/**
 * A new link is exchanged, and so is a repair that waits for its confirmation; any other repair is done. Fails when it
 * is not the result of this user.
 */
export function acceptResult(success) {
  const token = success.mode === 'link' ? success.exchangeable_token : success.confirmation_token;
  return token === undefined
    ? ask('POST', '/api/repairs', { existingLinkId: success.existing_link_id })
    : ask('POST', '/api/links', { exchangeableToken: token });
}

/** The text for an exit of Connect. Where the page is not allowed to open it, the text names the command that allows it. */
export function describeExit({ reason, error }, allowCommand) {
  if (error?.error_id === 'connect_error.origin_not_allowed')
    return `This page may not open Connect yet. The operator of the service can allow it: ${allowCommand}`;
  return error?.displayed_message ?? `Nothing was linked (${reason}).`;
}

export const FINANCE_APP_NOTE =
  'Paste this setup token into Actual, Firefly III, Sure or another app that speaks SimpleFIN, within 24 hours. It works once, and is shown only now.';

/** The text of an amount; a bank may omit one. */
export const money = (amount, currency) =>
  amount === null
    ? '–'
    : new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);

/** The text of an account's balance: what is owed is a positive number in the API. */
export function balance({ account_type: type, balances: { current, currency } }) {
  const isDebt = type.startsWith('liability.') && current !== null;
  return isDebt ? `${money(current, currency)} owed` : money(current, currency);
}

/** The state of a link in words for its owner. */
export function describeState({ state, error_code: errorCode }) {
  if (state === 'connected') return 'Connected';
  if (state !== 'error') return 'One moment …';
  return errorCode === 'auth_expired' ? 'Sign in again to continue' : 'Not up to date';
}

/** Data of a new link arrives one by one: the page reads it again until all is there, or this time is over. */
export const READ_AGAIN = { everyMs: 2_000, forMs: 60_000 };

/** True while some data of a link has not been fetched yet. */
export const isBeingRead = ({ state, products }) =>
  state === 'connected' &&
  Object.values(products).some(
    ({ refreshed_at: read, error_code: failed, unavailable }) =>
      read === null && failed === null && unavailable === null,
  );

export const EXAMPLE_STARTED = 'Two weeks pass at a sandbox bank. This takes some seconds …';
export const EXAMPLE_READY = 'This bank was linked two weeks ago, by the clock of the sandbox.';

export const BEING_READ = 'Reading transactions, investments and debts …';

/** Amounts have no sign; the type is the direction of the money. */
export const signed = ({ amount, type }) => (type === 'debit' ? -amount : amount);
