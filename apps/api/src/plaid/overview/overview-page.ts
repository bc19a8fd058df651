import { escapeHtml, PAGE_STYLE, pageHead } from '../../http/html-page.js';
import {
  CODES_NOT_GIVEN,
  MESSAGES,
  errorTypeOf,
  statusOf,
  type PlaidErrorCode,
} from '../../../../../domain/plaid/errors.js';
import { PLAID_WEBHOOK_NAMES } from '../../../../../domain/plaid/webhooks.js';
import { PLAID_PRODUCTS } from '../shapes/product-names.js';
import { DEVIATIONS } from './deviations.js';

export const OVERVIEW_STYLE = `${PAGE_STYLE}
:target { outline: 2px solid Highlight; }
`;

/** The operations of the specification, in its order. Source: plaid-compat 6. */
export const OPERATIONS = [
  '/link/token/create',
  '/item/public_token/exchange',
  '/auth/get',
  '/accounts/get',
  '/accounts/balance/get',
  '/transactions/sync',
  '/transactions/get',
  '/transactions/refresh',
  '/item/get',
  '/item/remove',
  '/identity/get',
  '/institutions/get_by_id',
] as const;

export interface OverviewFacts {
  baseUrl: string;
  connectBaseUrl: string;
  /** Every offered path. */
  paths: ReadonlySet<string>;
}

/** The page for developers whose application uses Plaid's API. It loads no script and no external file. Source: plaid-compat 11. */
export function overviewPage({ baseUrl, connectBaseUrl, paths }: OverviewFacts): string {
  const extra = [...paths]
    .filter((path) => !OPERATIONS.some((operation) => operation === path))
    .sort();
  const offered = OPERATIONS.filter((path) => paths.has(path));
  return [
    pageHead('Compatibility with Plaid', OVERVIEW_STYLE),
    '<main>',
    '<h1>Compatibility with Plaid</h1><p>An application that talks to Plaid keeps working here. The wire format is that of version <code>2020-09-14</code>. All calls are POST.</p>',
    '<h2 id="change">What to change</h2>',
    `<p>The base URL and the key pair of the client library; both environments have the same base URL.</p><pre>${escapeHtml(CLIENT_SAMPLE.replace('BASE_URL', baseUrl))}</pre>`,
    `<p>The script tag of the page that opens Link, before the script of the application:</p><pre>${escapeHtml(`<script src="${connectBaseUrl}/plaid/link-initialize.js"></script>`)}</pre>`,
    '<h2 id="operations">Operations</h2>',
    list(offered),
    '<h2 id="extra">Extra endpoints</h2>',
    list(extra),
    '<h2 id="products">Products</h2>',
    list(Object.values(PLAID_PRODUCTS)),
    '<h2 id="webhooks">Webhooks</h2>',
    `<p>${escapeHtml(WEBHOOKS_NOTE)}</p>`,
    list(PLAID_WEBHOOK_NAMES.map((name) => name.replace('.', ' / '))),
    '<h2 id="errors">Error codes</h2><table><thead><tr><th>Status</th><th>Type</th><th>Code</th><th>Meaning</th></tr></thead><tbody>',
    ...(Object.keys(MESSAGES) as PlaidErrorCode[]).map(
      (code) =>
        `<tr id="${code}"><td>${statusOf(code)}</td><td><code>${errorTypeOf(code)}</code></td><td><code>${code}</code></td><td>${escapeHtml(MESSAGES[code])}</td></tr>`,
    ),
    '</tbody></table>',
    `<p>No call here returns ${CODES_NOT_GIVEN.map((code) => `<code>${code}</code>`).join(', ')}; clients that know them need not forget them.</p>`,
    '<h2 id="deviations">Where it differs</h2><ol>',
    ...DEVIATIONS.map((text) => `<li>${escapeHtml(text)}</li>`),
    '</ol>',
    '</main></body></html>',
  ].join('\n');
}

const WEBHOOKS_NOTE =
  'Signed as Plaid-Verification, by keys that /webhook_verification_key/get returns. A webhook without a 200 response within 10 seconds is sent again, six times over 11.4 hours.';

const CLIENT_SAMPLE = `new Configuration({
  basePath: 'BASE_URL',
  baseOptions: { headers: { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret } },
})`;

function list(names: readonly string[]): string {
  return `<ul>${names.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join('')}</ul>`;
}
