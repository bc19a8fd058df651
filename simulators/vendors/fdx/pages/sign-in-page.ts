import { html, type Html } from '../../../http/html.js';
import { htmlDocument } from '../../http/html.js';

export interface SignInPage {
  bank: string;
  /** Target of the form. */
  action: string;
  userName: string;
  problem: string | null;
}

/** The first page: sign-in. Works without scripts and with a keyboard alone. */
export function signInPage({ bank, action, userName, problem }: SignInPage): string {
  const invalid = problem === null ? null : html` aria-invalid="true" aria-describedby="problem"`;
  return htmlDocument(
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
  );
}

export const problemNotice = (problem: string | null): Html | null =>
  problem === null ? null : html`<p role="alert" id="problem">${problem}</p>`;
