import { html } from './html.js';
import { pageFrame } from './page-frame.js';

/** For a request that cannot be gone on with, and that there is no safe way to send back. */
export function problemPage(): string {
  return pageFrame({
    title: 'This request is over',
    body: html`<h1>This request is over</h1>
<p>It was already answered, took too long, or was begun in another browser. Nothing more was shared.</p>
<p>Close this page, go back to the app you came from and start again there.</p>`,
  });
}

export function unavailablePage(): string {
  return pageFrame({
    title: 'Not available',
    body: html`<h1>The bank is not available at the moment</h1>
<p>Nothing was shared. Wait a moment and load this page again.</p>`,
  });
}
