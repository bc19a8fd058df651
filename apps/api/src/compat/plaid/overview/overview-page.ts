import { MESSAGES } from '../../../../../../domain/plaid/error-messages.js';
import { errorTypeOf, statusOf, type PlaidErrorCode } from '../../../../../../domain/plaid/errors.js';
import { PLAID_PRODUCTS } from '../shapes/product-names.js';
import { DEVIATIONS } from './deviations.js';

export const OVERVIEW_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1.25rem 4rem; font: 1rem/1.55 system-ui, sans-serif; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.2; margin: 2.5rem 0 .75rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem 1rem; background: color-mix(in srgb, CanvasText 6%, Canvas); border-radius: .375rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas); }
:target { outline: 2px solid Highlight; }
`;

/** The operations of the specification, in its order. Source: plaid-compat 6. */
export const OPERATIONS = [
  '/link/token/create', '/item/public_token/exchange', '/auth/get', '/accounts/get', '/accounts/balance/get', '/transactions/sync', '/transactions/get', '/transactions/refresh',
  '/item/get', '/item/remove', '/identity/get', '/institutions/get_by_id',
] as const;

export interface OverviewFacts {
  baseUrl: string;
  connectBaseUrl: string;
  /** Every address offered. */
  paths: ReadonlySet<string>;
}

/** What an application that talks to Plaid has to know: one page, no script, nothing from elsewhere. Source: plaid-compat 11. */
export function overviewPage({ baseUrl, connectBaseUrl, paths }: OverviewFacts): string {
  const extra = [...paths].filter((path) => !OPERATIONS.some((operation) => operation === path)).sort();
  const offered = OPERATIONS.filter((path) => paths.has(path));
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Compatibility with Plaid</title><style>${OVERVIEW_STYLE}</style></head><body><main>`,
    '<h1>Compatibility with Plaid</h1><p>An application that talks to Plaid keeps working here. The wire format is that of version <code>2020-09-14</code>. All calls are POST.</p>',
    '<h2 id="change">What to change</h2>',
    `<p>The base URL and the key pair of the client library; both environments have the same base URL.</p><pre>${escape(CLIENT_SAMPLE.replace('BASE_URL', baseUrl))}</pre>`,
    `<p>The script tag of the page that opens Link, before the script of the application:</p><pre>${escape(`<script src="${connectBaseUrl}/plaid/link-initialize.js"></script>`)}</pre>`,
    '<h2 id="operations">Operations</h2>', list(offered),
    '<h2 id="extra">Extra endpoints</h2>', list(extra),
    '<h2 id="products">Products</h2>', list(Object.values(PLAID_PRODUCTS)),
    '<h2 id="errors">Error codes</h2><table><thead><tr><th>Status</th><th>Type</th><th>Code</th><th>Meaning</th></tr></thead><tbody>',
    ...(Object.keys(MESSAGES) as PlaidErrorCode[]).map((code) => `<tr id="${code}"><td>${statusOf(code)}</td><td><code>${errorTypeOf(code)}</code></td><td><code>${code}</code></td><td>${escape(MESSAGES[code])}</td></tr>`),
    '</tbody></table>',
    '<h2 id="deviations">Where it differs</h2><ol>', ...DEVIATIONS.map((text) => `<li>${escape(text)}</li>`), '</ol>',
    '</main></body></html>',
  ].join('\n');
}

const CLIENT_SAMPLE = `new Configuration({
  basePath: 'BASE_URL',
  baseOptions: { headers: { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret } },
})`;

function list(names: readonly string[]): string {
  return `<ul>${names.map((name) => `<li><code>${escape(name)}</code></li>`).join('')}</ul>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
