import { html } from '../../../http/html.js';
import { htmlDocument } from '../../http/html.js';

/** For a request that cannot continue and cannot safely be sent back. */
export const problemPage = (): string =>
  htmlDocument(
    'This sign-in has expired',
    html`<p>It was already completed, took too long, or was not valid. Nothing was shared.</p>
<p>Close this page, return to the app, and start again there.</p>`,
  );
