import { API_ERRORS } from '../../../../domain/errors/api-errors.js';
import { escapeHtml, PAGE_STYLE, pageHead } from '../http/html-page.js';
import type {
  MediaObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './document.types.js';
import type { JsonSchema } from './json-schemas.js';

export const STYLE = `${PAGE_STYLE}
nav ul { columns: 22rem; padding-left: 1.1rem; }
nav li { break-inside: avoid; }
section.operation { border-top: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); padding-top: .5rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
summary { cursor: pointer; }
`;

/** The document as one page: no script, and no external resource. */
export function referencePage(document: OpenApiDocument): string {
  const operations = operationsOf(document.paths);
  const title = `${String(document.info['title'])} reference`;
  return [
    pageHead(title, STYLE),
    `<main><h1>${title}</h1><p>${escapeHtml(String(document.info['description']))}</p><p>Version <code>${escapeHtml(String(document.info['version']))}</code>. For machines: <a href="openapi.json">openapi.json</a>.</p>`,
    '<nav aria-label="Calls">',
    ...document.tags.map(
      ({ name: tag, description }) =>
        `<h2>${escapeHtml(tag)}</h2>${prose(description)}<ul>${operations
          .filter((operation) => operation.tags?.[0] === tag)
          .map(link)
          .join('')}</ul>`,
    ),
    '<h2>More</h2><ul><li><a href="#webhooks">Webhooks</a></li><li><a href="#errors">Errors</a></li><li><a href="#models">Models</a></li><li><a href="compatibility/plaid">Compatibility with Plaid</a></li></ul></nav>',
    ...operations.map(section),
    '<h2 id="webhooks">Webhooks</h2>',
    ...Object.entries(document.webhooks).flatMap(([name, methods]) =>
      Object.values(methods).map((operation) => webhook(name, operation)),
    ),
    '<h2 id="errors">Errors</h2>',
    errorTable(),
    '<h2 id="models">Models</h2>',
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) =>
        `<section id="model-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${shape(schema)}</section>`,
    ),
    '</main></body></html>',
  ].join('\n');
}

type ShownOperation = OperationObject & { method: string; path: string };

function operationsOf(paths: OpenApiDocument['paths']): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

function link({ operationId = '', method, path }: ShownOperation): string {
  return `<li><a href="#${escapeHtml(operationId)}"><code>${method} ${escapeHtml(path)}</code></a></li>`;
}

function section({
  operationId = '',
  method,
  path,
  summary,
  description = '',
  security = [],
  parameters = [],
  requestBody,
  responses,
}: ShownOperation): string {
  const scopes = security.flatMap((scheme) => Object.values(scheme).flat());
  return [
    `<section class="operation" id="${escapeHtml(operationId)}"><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3><p>${escapeHtml(summary)}.</p>`,
    prose(description),
    scopes.length === 0 ? '' : `<p>Scope: <code>${escapeHtml(scopes.join(' '))}</code></p>`,
    parameterTable(parameters),
    ...Object.entries(requestBody?.content ?? {}).map(
      ([type, media]) =>
        `<details><summary>Request body, <code>${escapeHtml(type)}</code></summary>${body(media)}</details>`,
    ),
    responseTable(responses),
    '</section>',
  ].join('');
}

function webhook(
  name: string,
  { summary, description = '', requestBody }: OperationObject,
): string {
  const bodies = Object.values(requestBody?.content ?? {}).map(body);
  return `<section class="operation" id="webhook-${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3><p>${escapeHtml(summary)}</p>${prose(description)}${bodies.join('')}</section>`;
}

function parameterTable(parameters: readonly ParameterObject[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${describe(schema)} ${escapeHtml(description)}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Format</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function responseTable(responses: Readonly<Record<string, ResponseObject>>): string {
  const rows = Object.entries(responses).map(
    ([status, { description, content = {}, 'x-error-codes': codes }]) => {
      const said =
        codes === undefined
          ? escapeHtml(description)
          : codes.map((code) => `<a href="#error-${code}"><code>${code}</code></a>`).join('<br>');
      const bodies =
        codes === undefined
          ? Object.entries(content)
              .map(
                ([type, media]) =>
                  `<details><summary><code>${escapeHtml(type)}</code></summary>${body(media)}</details>`,
              )
              .join('')
          : '';
      return `<tr><td><code>${status}</code></td><td>${said}${bodies}</td></tr>`;
    },
  );
  return `<table><thead><tr><th>Status</th><th>Response</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function errorTable(): string {
  const rows = Object.entries(API_ERRORS).map(
    ([code, { status, message }]) =>
      `<tr id="error-${code}"><td><code>${status}</code></td><td><code>${code}</code></td><td>${escapeHtml(message)}</td></tr>`,
  );
  return `<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A description: paragraphs, and code in backticks. */
function prose(markdown: string): string {
  return markdown
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((text) => `<p>${escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('');
}

function body({ schema, example }: MediaObject): string {
  if (example === undefined) return shape(schema);
  return `<p>Example:</p><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre><p>Schema:</p>${shape(schema)}`;
}

/** A schema as text, its references as links. */
function shape(schema: JsonSchema): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#model-$1">$1</a>')}</pre>`;
}

function describe({
  type,
  items,
  minimum,
  maximum,
  minLength,
  maxLength,
  format,
  default: fallback,
  enum: values,
}: JsonSchema): string {
  const facts = {
    from: minimum ?? minLength,
    to: maximum ?? maxLength,
    format,
    default: fallback,
    of: Array.isArray(values) ? values.join(', ') : undefined,
  };
  const said = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`);
  const kind = typeof type === 'string' ? type : '';
  return escapeHtml(
    [items === undefined ? kind : `${kind} of ${String((items as JsonSchema)['type'])}`, ...said]
      .filter((part) => part !== '')
      .join(', '),
  );
}
