import { html } from '../../http/html.js';
import type { Reply } from '../../http/reply.js';
import { bankPage } from './bank-page.js';

/** For a request that cannot continue and cannot safely be sent back. */
export const problemPage = (status = 400): Reply =>
  bankPage(
    'This sign-in has expired',
    html`<h1>This sign-in has expired</h1>
<p>It was completed before, took too long, or was started in another browser. Nothing else was shared.</p>
<p>Close this page, return to the app, and start again there.</p>`,
    { status },
  );

export const unavailablePage = (
  status = 503,
  headers: Readonly<Record<string, string>> = {},
): Reply =>
  bankPage(
    'Not available',
    html`<h1>OAuth Bank is not available right now</h1>
<p>Nothing was shared. Wait a moment, then reload this page.</p>`,
    { status, headers },
  );
