import { html } from './html.js';
import { MAGIC_USERS, PASSWORD } from '../customers/magic-users.js';
import { pageFrame } from './page-frame.js';

/** Where the help and reset links of the pretend banks lead. */
export function helpPage(): string {
  const names = Object.keys(MAGIC_USERS).map((name) => html`<li>${name}</li>`);
  return pageFrame({
    title: 'Help with signing in',
    body: html`<h1>Help with signing in</h1>
<p>The banks of the sandbox are pretend. Nobody can lose a password here: it is ${PASSWORD} for everybody.</p>
<p>These users exist, and slow_1 to slow_60. Each shows another way a login can go:</p>
<ul>${names}</ul>
<p>A code that is asked for is 123456, the answers are blue and rex.</p>`,
  });
}
