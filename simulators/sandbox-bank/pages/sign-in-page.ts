import { html, type Html } from '../../http/html.js';
import type { Reply } from '../../http/reply.js';
import { bankPage } from './bank-page.js';

export interface ShownAccount {
  key: string;
  name: string;
  mask: string;
  balance: string | null;
  chosen: boolean;
}

export interface SignInPage {
  /** The target of the form. */
  action: string;
  /** The third party. */
  thirdParty: string;
  /** The requested access, in words. */
  requests: readonly string[];
  userName: string;
  userNameProblem: string | null;
  /** The user whose accounts are shown. */
  accountsOf: string;
  accounts: readonly ShownAccount[];
  accountsProblem: string | null;
}

/** The one page of the bank: user, accounts, decision. Works without scripts. */
export function signInPage(page: SignInPage): Reply {
  const problems = [page.userNameProblem, page.accountsProblem].filter(
    (problem) => problem !== null,
  );
  return bankPage(
    `${problems.length > 0 ? 'Please check: ' : ''}Share your accounts`,
    html`<h1>Share your accounts with ${page.thirdParty}?</h1>
${problems.length === 0 ? null : html`<div class="notice" role="alert"><h2>Please check</h2><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`}
<p>${page.thirdParty} would like to see, until you disconnect it:</p>
<ul class="requests">${page.requests.map((request) => html`<li>${request}</li>`)}</ul>
<form method="post" action="${page.action}" novalidate>
<input type="hidden" name="accounts_of" value="${page.accountsOf}">
<div class="field">
<label for="user_name">User name</label>
<p class="hint" id="user_name_hint">A sandbox user. The same names as at Credentials Bank, without the ones that ask for a code.</p>
<div class="beside"><input id="user_name" name="user_name" type="text" value="${page.userName}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="100" required${
      page.userNameProblem === null ? null : html` aria-invalid="true"`
    } aria-describedby="user_name_hint">
<button class="quiet" type="submit" name="decision" value="show_accounts">Show accounts</button></div>
</div>
${accountPicker(page)}
<div class="decisions">
<button class="primary" type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>
</form>`,
    { status: problems.length > 0 ? 422 : 200 },
  );
}

function accountPicker({ accounts, accountsOf }: SignInPage): Html {
  if (accounts.length === 0)
    return html`<p class="empty">${accountsOf} has no accounts at this bank.</p>`;
  return html`<fieldset>
<legend>Accounts of ${accountsOf} to share</legend>
${accounts.map(
  ({
    key,
    name,
    mask,
    balance,
    chosen,
  }) => html`<label class="account"><input type="checkbox" name="account" value="${key}"${chosen ? html` checked` : null}>
<span class="name">${name}<span class="mask"> ending in ${mask}</span></span><span class="balance">${balance}</span></label>
`,
)}</fieldset>`;
}
