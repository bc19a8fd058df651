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
