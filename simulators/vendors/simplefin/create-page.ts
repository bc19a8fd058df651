import { html } from '../../http/html.js';
import { htmlDocument } from '../http/html.js';
import type { Customer } from '../ledger/ledger.types.js';

/** The page on which a customer creates a setup token. */
export const createPage = (customers: readonly Customer[]): string =>
  htmlDocument(
    'SimpleFIN Bridge (simulator)',
    html`<form method="post" action="/simplefin/create">
<fieldset>
<legend>Create a setup token as</legend>
${customers.map(
  ({ id, name }, index) =>
    html`<label><input type="radio" name="customer" value="${id}"${index === 0 ? html` checked` : null}> ${name}</label>`,
)}
</fieldset>
<button type="submit">Create setup token</button>
</form>`,
  );

/** Shows a setup token once. */
export const tokenPage = (setupToken: string): string =>
  htmlDocument(
    'Your setup token',
    html`<label for="setup-token">Copy it into the app that requested it. It works once.</label>
<textarea id="setup-token" rows="4" readonly>${setupToken}</textarea>
<p><a href="/simplefin/create">Create another one</a></p>`,
  );
