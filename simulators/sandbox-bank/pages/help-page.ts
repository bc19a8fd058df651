import { html } from '../../http/html.js';
import { MAGIC_USERS, PASSWORD } from '../customers/magic-users.js';
import { pageFrame } from './page-frame.js';

/** The target of the help and reset links of the sandbox banks. */
export function helpPage(): string {
  const names = Object.keys(MAGIC_USERS).map((name) => html`<li>${name}</li>`);
  return pageFrame({
    title: 'Help with signing in',
    body: html`<h1>Help with signing in</h1>
<p>The banks of the sandbox are not real. The password is ${PASSWORD} for everyone.</p>
<p>These users exist, and slow_1 to slow_60. Each one shows a different course of a login:</p>
<ul>${names}</ul>
<p>The code is always 123456; the answers are blue and rex.</p>`,
  });
}
