import { html } from '../../http/html.js';
import { pageFrame } from './page-frame.js';

/** For a request that cannot continue and cannot safely be sent back. */
export function problemPage(): string {
  return pageFrame({
    title: 'This sign-in has expired',
    body: html`<h1>This sign-in has expired</h1>
<p>It was completed before, took too long, or was started in another browser. Nothing else was shared.</p>
<p>Close this page, return to the app, and start again there.</p>`,
  });
}

export function unavailablePage(): string {
  return pageFrame({
    title: 'Not available',
    body: html`<h1>OAuth Bank is not available right now</h1>
<p>Nothing was shared. Wait a moment, then reload this page.</p>`,
  });
}
