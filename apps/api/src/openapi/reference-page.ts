import { API_ERRORS } from '../../../../domain/api-errors.js';
import type { OpenApiDocument, OperationObject, ParameterObject, ResponseObject } from './build-document.js';
import type { JsonSchema } from './json-schemas.js';

export const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1.25rem 4rem; font: 1rem/1.55 system-ui, sans-serif; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; margin: 2.5rem 0 .75rem; }
nav ul { columns: 22rem; padding-left: 1.1rem; }
nav li { break-inside: avoid; }
section.operation { border-top: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); padding-top: .5rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem 1rem; background: color-mix(in srgb, CanvasText 6%, Canvas); border-radius: .375rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas); }
summary { cursor: pointer; }
`;

/** The document as one page: no script, and nothing from anywhere else. */
export function referencePage(document: OpenApiDocument): string {
  const operations = operationsOf(document.paths);
  const tags = document.tags.map(({ name }) => name);
  const title = `${String(document.info['title'])} reference`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body>`,
    `<main><h1>${title}</h1><p>${escape(String(document.info['description']))}</p><p>Version <code>${escape(String(document.info['version']))}</code>. For machines: <a href="openapi.json">openapi.json</a>.</p>`,
    '<nav aria-label="Calls">', ...tags.map((tag) => `<h2>${escape(tag)}</h2><ul>${operations.filter((operation) => operation.tags?.[0] === tag).map(link).join('')}</ul>`),
    '<h2>More</h2><ul><li><a href="#webhooks">Webhooks</a></li><li><a href="#errors">Errors</a></li><li><a href="#models">Models</a></li><li><a href="compatibility/plaid">Compatibility with Plaid</a></li></ul></nav>',
    ...operations.map(section),
    '<h2 id="webhooks">Webhooks</h2>', ...Object.entries(document.webhooks).flatMap(([name, methods]) => Object.values(methods).map((operation) => webhook(name, operation))),
    '<h2 id="errors">Errors</h2>', errorTable(),
    '<h2 id="models">Models</h2>', ...Object.entries(document.components.schemas).map(([name, schema]) => `<section id="model-${escape(name)}"><h3>${escape(name)}</h3>${shape(schema)}</section>`),
    '</main></body></html>',
  ].join('\n');
}

type ShownOperation = OperationObject & { method: string; path: string };

function operationsOf(paths: OpenApiDocument['paths']): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })));
}

function link({ operationId = '', method, path }: ShownOperation): string {
  return `<li><a href="#${escape(operationId)}"><code>${method} ${escape(path)}</code></a></li>`;
}

function section({ operationId = '', method, path, summary, security = [], parameters = [], requestBody, responses }: ShownOperation): string {
  const scopes = security.flatMap((scheme) => Object.values(scheme).flat());
  return [
    `<section class="operation" id="${escape(operationId)}"><h3><span class="method">${method}</span> <code>${escape(path)}</code></h3><p>${escape(summary)}.</p>`,
    scopes.length === 0 ? '' : `<p>Scope: <code>${escape(scopes.join(' '))}</code></p>`,
    parameterTable(parameters),
    ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => `<details><summary>Request body, <code>${escape(type)}</code></summary>${shape(schema)}</details>`),
    responseTable(responses),
    '</section>',
  ].join('');
}

function webhook(name: string, { summary, parameters = [], requestBody }: OperationObject): string {
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => shape(schema));
  return `<section class="operation" id="webhook-${escape(name)}"><h3><code>${escape(name)}</code></h3><p>${escape(summary)}</p>${parameterTable(parameters)}${bodies.join('')}</section>`;
}

function parameterTable(parameters: readonly ParameterObject[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => `<tr><td><code>${escape(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${describe(schema)} ${escape(description)}</td></tr>`);
  return `<table><thead><tr><th>Parameter</th><th>Place</th><th>Form</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function responseTable(responses: Readonly<Record<string, ResponseObject>>): string {
  const rows = Object.entries(responses).map(([status, { description, content = {}, 'x-error-codes': codes }]) => {
    const said = codes === undefined ? escape(description) : codes.map((code) => `<a href="#error-${code}"><code>${code}</code></a>`).join('<br>');
    const body = codes === undefined ? Object.entries(content).map(([type, { schema }]) => `<details><summary><code>${escape(type)}</code></summary>${shape(schema)}</details>`).join('') : '';
    return `<tr><td><code>${status}</code></td><td>${said}${body}</td></tr>`;
  });
  return `<table><thead><tr><th>Status</th><th>Answer</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function errorTable(): string {
  const rows = Object.entries(API_ERRORS).map(([code, { status, message }]) => `<tr id="error-${code}"><td><code>${status}</code></td><td><code>${code}</code></td><td>${escape(message)}</td></tr>`);
  return `<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A schema as text, its references as links. */
function shape(schema: JsonSchema): string {
  const text = escape(JSON.stringify(schema, null, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#model-$1">$1</a>')}</pre>`;
}

function describe({ type, items, minimum, maximum, minLength, maxLength, format, default: otherwise, enum: values }: JsonSchema): string {
  const facts = { from: minimum ?? minLength, to: maximum ?? maxLength, format, default: otherwise, of: Array.isArray(values) ? values.join(', ') : undefined };
  const said = Object.entries(facts).filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${String(value)}`);
  const kind = typeof type === 'string' ? type : '';
  return escape([items === undefined ? kind : `${kind} of ${String((items as JsonSchema)['type'])}`, ...said].filter((part) => part !== '').join(', '));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
