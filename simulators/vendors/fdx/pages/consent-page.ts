import { html, type Html } from '../../../http/html.js';
import { htmlDocument } from '../../http/html.js';
import { problemNotice } from './sign-in-page.js';

export interface OfferedAccount {
  id: string;
  name: string;
  mask: string;
}

export interface ConsentPage {
  /** Target of the form. */
  action: string;
  client: string;
  /** The access that the client requests, in words. */
  asked: readonly string[];
  accounts: readonly OfferedAccount[];
  problem: string | null;
}

/** The second page: accounts and decision. Works without scripts and with a keyboard alone. */
export function consentPage({ action, client, asked, accounts, problem }: ConsentPage): string {
  return htmlDocument(
    `Share your accounts with ${client}?`,
    html`${problemNotice(problem)}
<p>${client} would like to see:</p>
<ul>${asked.map((words) => html`<li>${words}</li>`)}</ul>
<form method="post" action="${action}">
${accounts.length === 0 ? html`<p>You have no accounts here.</p>` : accountPicker(accounts)}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
  );
}

const accountPicker = (accounts: readonly OfferedAccount[]): Html => html`<fieldset>
<legend>Accounts to share</legend>
${accounts.map(
  ({ id, name, mask }) =>
    html`<label><input type="checkbox" name="account" value="${id}" checked> ${name}, ending in ${mask}</label>`,
)}
</fieldset>`;
