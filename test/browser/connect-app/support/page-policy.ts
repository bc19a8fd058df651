/**
 * The headers with which the app must be served (connect 12, docs/operating/connect.md). Every test runs
 * under them. Only `/hosted`, which production serves with frame-ancestors 'none', may be framed
 * here as well, to test that it does nothing in a frame.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    "font-src 'self' https:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    'frame-ancestors https: http://localhost:* http://127.0.0.1:*',
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** Instead of those of the page: the name of a file changes with its content. */
export const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };
