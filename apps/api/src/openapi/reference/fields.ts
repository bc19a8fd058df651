import { escapeHtml } from '../../http/html-page.js';
import type { JsonSchema } from '../json-schema.js';
import { inline } from './prose.js';

/** A schema for readers: the type in words, and the members of an object as a list. */
export function fields(schema: JsonSchema): string {
  const described = typeof schema['description'] === 'string' ? inline(schema['description']) : '';
  const text = described === '' ? '' : `<p>${described}</p>`;
  const members = membersOf(schema);
  if (members === '') return `${text}<p class="type">${typeOf(schema)}</p>`;
  return `${text}${members}`;
}

/** One entry of a list of parameters or members. */
export function field(
  name: string,
  schema: JsonSchema,
  remarks: { required: boolean; place?: string; description?: string },
): string {
  const description = remarks.description ?? schema['description'];
  const facts = [remarks.place, typeOf(schema)].filter((fact) => fact !== undefined).join(', ');
  return [
    `<dt><code>${escapeHtml(name)}</code> <span class="type">${facts}</span>`,
    remarks.required ? ' <span class="required">required</span>' : '',
    '</dt><dd>',
    typeof description === 'string' ? `<p>${inline(description)}</p>` : '',
    nested(schema),
    '</dd>',
  ].join('');
}

function membersOf(schema: JsonSchema): string {
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (properties === undefined || Object.keys(properties).length === 0) return '';
  const required = new Set((schema['required'] ?? []) as string[]);
  const entries = Object.entries(properties).map(([name, member]) =>
    field(name, member, { required: required.has(name) }),
  );
  return `<dl class="fields">${entries.join('')}</dl>`;
}

/** The members of an object without a name of its own, or of the elements of an array of them. */
function nested(schema: JsonSchema): string {
  const inner = [schema, schema['items'], ...alternativesOf(schema)] as (JsonSchema | undefined)[];
  return inner.map((each) => (each === undefined ? '' : membersOf(each))).join('');
}

const alternativesOf = (schema: JsonSchema): JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'] ?? []) as JsonSchema[];

/** The type with its limits, names of components as links. */
export function typeOf(schema: JsonSchema): string {
  const model = nameOfReference(schema);
  if (model !== undefined) return linkToModel(model);
  if (schema['const'] !== undefined) return code(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map(code).join(', ')}`;
  const known = schema['x-extensible-enum'];
  if (Array.isArray(known)) return `one of ${known.map(code).join(', ')}, or a later one`;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' or ');
  const limits = limitsOf(schema).join(', ');
  return `${kindOf(schema)}${limits === '' ? '' : ` (${limits})`}`;
}

/** The name of the component that the schema stands for. */
export function nameOfReference({ $ref: reference }: JsonSchema): string | undefined {
  return typeof reference === 'string' ? reference.replace('#/components/schemas/', '') : undefined;
}

function linkToModel(model: string): string {
  const name = escapeHtml(model);
  return `<a href="#model-${name}">${name}</a>`;
}

function kindOf({ type, items, format }: JsonSchema): string {
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array')
    return `array of ${items === undefined ? 'values' : typeOf(items as JsonSchema)}`;
  if (typeof type !== 'string') return 'any value';
  return typeof format === 'string' ? `${type}, ${format}` : type;
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'at least ',
  maximum: 'at most ',
  minLength: 'length at least ',
  maxLength: 'length at most ',
  minItems: 'elements at least ',
  maxItems: 'elements at most ',
};

function limitsOf(schema: JsonSchema): string[] {
  const limits = Object.entries(LIMITS).flatMap(([name, words]) =>
    schema[name] === undefined ? [] : [`${words}${escapeHtml(String(schema[name]))}`],
  );
  return schema['default'] === undefined
    ? limits
    : [...limits, `default ${code(schema['default'])}`];
}

const code = (value: unknown): string =>
  `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
