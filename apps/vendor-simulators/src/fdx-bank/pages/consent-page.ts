import { escapeHtml, htmlDocument } from '../../http/html.js';
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
  /** What the client asks for, in words. */
  asked: readonly string[];
  accounts: readonly OfferedAccount[];
  problem: string | null;
}

/** The second page: which accounts, allow or deny. Works without scripts and with a keyboard alone. */
export function consentPage({ action, client, asked, accounts, problem }: ConsentPage): string {
  return htmlDocument(
    `Share your accounts with ${client}?`,
    `${problemNotice(problem)}
<p>${escapeHtml(client)} would like to see:</p>
<ul>${asked.map((words) => `<li>${escapeHtml(words)}</li>`).join('')}</ul>
<form method="post" action="${escapeHtml(action)}">
${accounts.length === 0 ? '<p>You have no accounts here.</p>' : accountPicker(accounts)}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
  );
}

const accountPicker = (accounts: readonly OfferedAccount[]): string => `<fieldset>
<legend>Accounts to share</legend>
${accounts
  .map(
    ({ id, name, mask }) =>
      `<label><input type="checkbox" name="account" value="${escapeHtml(id)}" checked> ${escapeHtml(name)}, ending in ${escapeHtml(mask)}</label>`,
  )
  .join('\n')}
</fieldset>`;
