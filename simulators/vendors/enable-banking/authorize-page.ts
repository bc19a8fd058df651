import { html } from '../../http/html.js';
import { htmlDocument } from '../http/html.js';
import type { Bank, Customer } from '../ledger/ledger.types.js';

/** The bank's page where a customer signs in and decides. */
export const authorizePage = (
  bank: Bank,
  sessionId: string,
  customers: readonly Customer[],
): string =>
  htmlDocument(
    `${bank.name} (simulator)`,
    html`<p>An app asks to read your accounts, balances and transactions.</p>
<form method="post" action="/enable-banking/authorize">
<input type="hidden" name="sessionid" value="${sessionId}">
<fieldset>
<legend>Sign in as</legend>
${customers.map(
  ({ id, name }, index) =>
    html`<label><input type="radio" name="customer" value="${id}"${index === 0 ? html` checked` : null}> ${name}</label>`,
)}
</fieldset>
<button type="submit" name="decision" value="accept">Accept</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
  );

/** Shown for an unknown session or one already decided. */
export const endedPage = (): string =>
  htmlDocument('Nothing to decide', html`<p>This sign-in has expired. Start again in the app.</p>`);
