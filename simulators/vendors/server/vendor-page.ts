import { html, type Html } from '../../http/html.js';
import { pageFrame, pageReply } from '../../http/page.js';
import type { Reply } from '../../http/reply.js';
import type { Customer } from '../ledger/ledger.types.js';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
const STYLE = html`<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
fieldset { border: 1px solid #767676; border-radius: 0.5rem; margin: 1rem 0; }
label { display: block; padding: 0.25rem 0; }
button { font: inherit; padding: 0.5rem 1rem; margin-right: 0.5rem; }
textarea { width: 100%; font: 0.9rem ui-monospace, monospace; box-sizing: border-box; }
</style>`;

/** A page with plain forms. */
export const vendorPage = (title: string, body: Html, status = 200): Reply =>
  pageReply(
    pageFrame({
      title,
      head: STYLE,
      body: html`<main>
<h1>${title}</h1>
${body}
</main>`,
    }),
    HEADERS,
    status,
  );

/** Asks which customer of the ledger is at the page. */
export const customerChoice = (legend: string, customers: readonly Customer[]): Html =>
  html`<fieldset>
<legend>${legend}</legend>
${customers.map(
  ({ id, name }, index) =>
    html`<label><input type="radio" name="customer" value="${id}"${index === 0 ? html` checked` : null}> ${name}</label>`,
)}
</fieldset>`;
