/**
 * Nothing but our own style sheet: no script, no frame, no picture from elsewhere. `form-action` is not set on purpose:
 * browsers hold it against every redirect that follows a form, and after this one the customer goes on to whichever app they came from.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
