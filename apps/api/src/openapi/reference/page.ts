import { API_ERRORS } from '../../../../../domain/errors/api-errors.js';
import { escapeHtml, pageHead } from '../../http/html-page.js';
import type { OpenApiDocument } from '../document.types.js';
import { fields } from './fields.js';
import { operationSection, webhookSection } from './operations.js';
import { inline, prose } from './prose.js';
import { operationsOf, type ShownOperation } from './shown-operation.js';
import { STYLE } from './style.js';

/** The document as one page: no script, and no external resource. */
export function referencePage(document: OpenApiDocument): string {
  const title = `${String(document.info['title'])} reference`;
  const groups = groupsOf(document);
  return [
    pageHead(title, STYLE),
    '<a class="skip" href="#content">Skip to content</a>',
    navigation(groups, document),
    `<main id="content"><h1>${title}</h1>${introduction(document)}`,
    ...groups.map((group) => groupSection(group, document)),
    '<section class="group"><h2 id="webhooks">Webhook events</h2>',
    ...webhooksOf(document).map(([name, operation]) => webhookSection(name, operation)),
    `</section><section class="group"><h2 id="errors">Errors</h2>${errorList()}</section>`,
    '<section class="group"><h2 id="models">Models</h2>',
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) =>
        `<section id="model-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${fields(schema)}</section>`,
    ),
    '</section></main></body></html>',
  ].join('\n');
}

interface Group {
  id: string;
  name: string;
  description: string;
  operations: readonly ShownOperation[];
}

function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  const operations = operationsOf(paths);
  const groups = tags.map(({ name, description = '' }) => ({
    id: `group-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    description,
    operations: operations.filter((operation) => operation.tags?.[0] === name),
  }));
  // Webhooks have a section of their own.
  return groups.filter((group) => group.operations.length > 0);
}

const webhooksOf = ({ webhooks }: OpenApiDocument) =>
  Object.entries(webhooks).flatMap(([name, methods]) =>
    Object.values(methods).map((operation) => [name, operation] as const),
  );

/** A narrow window shows only the groups; each group then begins with a list of its calls. */
function navigation(groups: readonly Group[], document: OpenApiDocument): string {
  const entries = groups.map(
    ({ id, name, operations }) =>
      `<h2><a href="#${id}">${escapeHtml(name)}</a></h2><ul class="calls-of-group">${operations.map(entry).join('')}</ul>`,
  );
  const webhooks = webhooksOf(document).map(
    ([name]) => `<li><a href="#webhook-${escapeHtml(name)}">${escapeHtml(name)}</a></li>`,
  );
  return [
    '<nav aria-label="Reference">',
    ...entries,
    `<h2><a href="#webhooks">Webhook events</a></h2><ul class="calls-of-group">${webhooks.join('')}</ul>`,
    '<h2><a href="#errors">Errors</a></h2><h2><a href="#models">Models</a></h2>',
    '<h2><a href="compatibility/plaid">Compatibility with Plaid</a></h2></nav>',
  ].join('');
}

const entry = ({ operationId = '', summary }: ShownOperation): string =>
  `<li><a href="#${escapeHtml(operationId)}">${escapeHtml(summary)}</a></li>`;

function introduction({ info, servers }: OpenApiDocument): string {
  return [
    prose(String(info['description'])),
    `<p>Address: <code>${escapeHtml(servers[0]?.url ?? '')}</code>. Version: <code>${escapeHtml(String(info['version']))}</code>. `,
    'For programs: <a href="openapi.json">the OpenAPI document</a>.</p>',
  ].join('');
}

function groupSection(
  { id, name, description, operations }: Group,
  document: OpenApiDocument,
): string {
  return [
    `<section class="group"><h2 id="${id}">${escapeHtml(name)}</h2>${prose(description)}`,
    `<ul class="calls">${operations.map(entry).join('')}</ul>`,
    ...operations.map((operation) => operationSection(operation, document)),
    '</section>',
  ].join('\n');
}

function errorList(): string {
  const entries = Object.entries(API_ERRORS).map(
    ([code, { status, message, remedy }]) =>
      `<dt id="error-${code}"><code>${code}</code> <span class="type">${status}</span></dt><dd><p>${escapeHtml(message)}</p><p>${inline(remedy)}.</p></dd>`,
  );
  return `<dl class="fields">${entries.join('')}</dl>`;
}
