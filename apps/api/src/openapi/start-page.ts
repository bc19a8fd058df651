import { escapeHtml, PAGE_STYLE, pageHead, pagePolicy } from '../http/html-page.js';

/** The page has one inline style sheet and no script. */
export const START_PAGE_POLICY = pagePolicy(PAGE_STYLE);

/** For a person who opens the address of the service. The links also work behind a path of a proxy. */
export const startPage = ({ title, version }: { title: string; version: string }): string =>
  [
    pageHead(title, PAGE_STYLE),
    `<main><h1>${escapeHtml(title)}</h1>`,
    `<p>The service is running, version ${escapeHtml(version)}. Programs call this address with a key pair.</p>`,
    '<ul>',
    '<li><a href="docs">Reference of the API</a>, and the same for programs as <a href="openapi.json">OpenAPI document</a></li>',
    '<li><a href="compatibility/plaid">For applications made for Plaid</a></li>',
    '<li><a href="health/ready">State of its parts</a></li>',
    '</ul>',
    '</main></body></html>',
  ].join('\n');
