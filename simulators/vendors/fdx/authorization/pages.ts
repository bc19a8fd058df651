import { html, type Html } from '../../../http/html.js';
import type { Reply } from '../../../http/reply.js';
import { vendorPage } from '../../server/vendor-page.js';

interface FormPage {
  /** Target of the form. */
  action: string;
  problem: string | null;
}

export interface SignInPage extends FormPage {
  bank: string;
  userName: string;
}

// The pages work without scripts and with a keyboard alone.

/** The first page: sign-in. */
export function signInPage({ bank, action, userName, problem }: SignInPage): Reply {
  const invalid = problem === null ? null : html` aria-invalid="true" aria-describedby="problem"`;
  return vendorPage(
    `Sign in to ${bank}`,
    html`${problemNotice(problem)}
<form method="post" action="${action}">
<label for="user_name">User name</label>
<input id="user_name" name="user_name" type="text" value="${userName}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="100" required${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="100" required>
<p><button type="submit" name="decision" value="sign_in">Sign in</button>
<button type="submit" name="decision" value="deny" formnovalidate>Cancel</button></p>
</form>`,
    statusFor(problem),
  );
}

export interface OfferedAccount {
  id: string;
  name: string;
  mask: string;
}

export interface ConsentPage extends FormPage {
  client: string;
  /** The access that the client requests, in words. */
  asked: readonly string[];
  accounts: readonly OfferedAccount[];
}

/** The second page: accounts and decision. */
export function consentPage({ action, client, asked, accounts, problem }: ConsentPage): Reply {
  return vendorPage(
    `Share your accounts with ${client}?`,
    html`${problemNotice(problem)}
<p>${client} would like to see:</p>
<ul>${asked.map((words) => html`<li>${words}</li>`)}</ul>
<form method="post" action="${action}">
${accounts.length === 0 ? html`<p>You have no accounts here.</p>` : accountPicker(accounts)}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
    statusFor(problem),
  );
}

const accountPicker = (accounts: readonly OfferedAccount[]): Html => html`<fieldset>
<legend>Accounts to share</legend>
${accounts.map(
  ({ id, name, mask }) =>
    html`<label><input type="checkbox" name="account" value="${id}" checked> ${name}, ending in ${mask}</label>`,
)}
</fieldset>`;

/** For a request that cannot continue and cannot safely be sent back. */
export const problemPage = (): Reply =>
  vendorPage(
    'This sign-in has expired',
    html`<p>It was already completed, took too long, or was not valid. Nothing was shared.</p>
<p>Close this page, return to the app, and start again there.</p>`,
    400,
  );

const statusFor = (problem: string | null): number => (problem === null ? 200 : 422);

const problemNotice = (problem: string | null): Html | null =>
  problem === null ? null : html`<p role="alert" id="problem">${problem}</p>`;
