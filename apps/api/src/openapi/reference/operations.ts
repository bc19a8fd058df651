import { escapeHtml } from '../../http/html-page.js';
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '../document.types.js';
import type { JsonSchema } from '../json-schema.js';
import { field, fields, nameOfReference, typeOf } from './fields.js';
import { prose, inline } from './prose.js';
import { exampleOf, sample, samples } from './samples.js';
import type { ShownOperation } from './shown-operation.js';

/** A call: text on one side, samples on the other. The body of its request is shown in full. */
export function operationSection(
  operation: ShownOperation,
  { components, servers }: OpenApiDocument,
): string {
  const shown = (schema: JsonSchema): JsonSchema =>
    components.schemas[nameOfReference(schema) ?? ''] ?? schema;
  const { operationId = '', method, path, summary, description = '', security = [] } = operation;
  const scopes = security.flatMap((scheme) => Object.values(scheme).flat());
  return [
    `<section class="operation" id="${escapeHtml(operationId)}"><div>`,
    `<h3>${escapeHtml(summary)}</h3>`,
    `<p class="address"><code><span class="method">${method}</span> ${escapeHtml(path)}</code></p>`,
    prose(description),
    scopes.length === 0 ? '' : `<p>Scope: <code>${escapeHtml(scopes.join(' '))}</code></p>`,
    parameterList(operation.parameters ?? []),
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, { schema }]) =>
        `<h4>Request body <span class="type">${escapeHtml(type)}</span></h4>${fields(shown(schema))}`,
    ),
    responseList(operation.responses),
    `</div>${samples(operation, servers[0]?.url ?? '')}</section>`,
  ].join('');
}

/** A webhook: its headers and body, and an example of the body. */
export function webhookSection(name: string, operation: OperationObject): string {
  const media = Object.values(operation.requestBody?.content ?? {});
  const [example] = media.map(exampleOf);
  return [
    `<section class="operation" id="webhook-${escapeHtml(name)}"><div>`,
    `<h3>${escapeHtml(operation.summary)}</h3><p class="address"><code>${escapeHtml(name)}</code></p>`,
    prose(operation.description ?? ''),
    parameterList(operation.parameters ?? []),
    ...media.map(({ schema }) => `<h4>Body</h4>${fields(schema)}`),
    `</div><div class="samples">${example === undefined ? '' : sample('Body', example)}</div></section>`,
  ].join('');
}

function parameterList(parameters: readonly ParameterObject[]): string {
  if (parameters.length === 0) return '';
  const entries = parameters.map(({ name, in: place, required, description, schema }) =>
    field(name, schema, {
      required,
      place,
      ...(description === undefined ? {} : { description }),
    }),
  );
  return `<h4>Parameters</h4><dl class="fields">${entries.join('')}</dl>`;
}

function responseList(responses: Readonly<Record<string, ResponseObject>>): string {
  const all = Object.entries(responses);
  const refusals = all.filter(([, { 'x-error-codes': codes }]) => codes !== undefined);
  const others = all.filter(([, { 'x-error-codes': codes }]) => codes === undefined);
  return [
    '<h4>Responses</h4><dl class="fields">',
    ...others.map(
      ([status, { description, content = {} }]) =>
        `<dt><code>${status}</code> <span class="type">${Object.values(content)
          .map(({ schema }) => typeOf(schema))
          .join('')}</span></dt><dd>${inline(description)}</dd>`,
    ),
    '</dl>',
    refusals.length === 0 ? '' : '<details><summary>Errors</summary><dl class="fields">',
    ...refusals.map(
      ([status, { 'x-error-codes': codes = [] }]) =>
        `<dt><code>${status}</code></dt><dd>${codes
          .map((code) => `<a href="#error-${code}"><code>${code}</code></a>`)
          .join('<br>')}</dd>`,
    ),
    refusals.length === 0 ? '' : '</dl></details>',
  ].join('');
}
