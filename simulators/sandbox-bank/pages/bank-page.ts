import { html, type Html } from '../../http/html.js';
import { pageFrame, pageReply } from '../../http/page.js';
import type { Reply } from '../../http/reply.js';

export const STYLE_SHEET_PATH = '/assets/bank.css';

/**
 * Only our own style sheet: no scripts, frames or images from elsewhere. `form-action` is
 * intentionally not set: browsers apply it to every redirect after a form, and this form is
 * followed by a redirect to the customer's app.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** A page of OAuth Bank. */
export function bankPage(
  title: string,
  body: Html,
  { status, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Reply {
  const text = pageFrame({
    title: `${title} – OAuth Bank`,
    head: html`<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_SHEET_PATH}">`,
    body: html`<header class="masthead"><p class="brand"><span class="seal" aria-hidden="true">OB</span> OAuth Bank</p><p class="since">A sandbox bank for testing</p></header>
<main>${body}</main>
<footer><p>OAuth Bank is part of the sandbox. It holds no money and has no phone line.</p></footer>`,
  });
  return pageReply(text, { ...PAGE_HEADERS, ...headers }, status);
}
