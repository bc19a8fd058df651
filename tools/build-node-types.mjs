import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withEventBodies } from './event-bodies.mjs';
import { withOpenLists } from './open-lists.mjs';
import { runNode } from './process.mjs';

/** Calls of the hosted app, of operators and of data sources: no back end of an app makes them. */
const OF_OTHERS = /^(connect|service|providers)\./;

/** Texts that are not written as `string`, with their declarations. */
const TEXTS = {
  /** Beside known values. `string` would swallow them, and editors could no longer suggest them. */
  AnyText: {
    description: 'A later value.',
    declaration: 'export type AnyText = string & {};',
  },
  /**
   * A text that is never equal to a known name: so a comparison with one leaves its body alone in
   * the union of bodies. A text with a mark would be comparable with every name.
   */
  OtherEventName: {
    description: 'The name of an event that these types do not list: a text.',
    declaration: `export type OtherEventName = OtherName;\ndeclare enum OtherName { other = 'another event' }`,
  },
};
const text = (name) => ({ $ref: `#/components/schemas/${name}` });
const openList = (known) => ({ anyOf: [{ type: 'string', enum: known }, text('AnyText')] });
const OTHER_BODY = {
  type: 'object',
  additionalProperties: {},
  properties: { webhook_event: text('OtherEventName') },
};

const NUMBERS = ['number', 'integer'];

/** The generated sources of clients/node by their names, each from the OpenAPI document. */
export const NODE_TYPES = {
  'types.ts': (document) => typesOf(forApps(document)),
  'money.ts': (document) => moneyOf(forApps(document)),
  'received-event.ts': (document) => unionOf(eventsOf(document)),
  'api-version.ts': ({ info }) =>
    `/** The version of the API that the types describe; sent with each call. */\nexport const apiVersion = '${info.version}';\n`,
};

/** The document without the calls of others, and without the schemas that only they use. */
function forApps({ paths, components, ...document }) {
  const kept = Object.entries(paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).filter(([, call]) => !OF_OTHERS.test(call.operationId));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)]];
  });
  const used = new Set();
  const visit = (value) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(components.schemas[name]);
    }
  };
  visit([kept, document.webhooks]);
  const schemas = Object.entries(components.schemas).filter(([name]) => used.has(name));
  return {
    ...document,
    paths: Object.fromEntries(kept),
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
}

async function typesOf(document) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-types-'));
  try {
    const input = join(folder, 'openapi.json');
    writeFileSync(
      input,
      JSON.stringify(withTexts(withOpenLists(withEventBodies(document, OTHER_BODY), openList))),
    );
    const { status, output } = await runNode([
      'node_modules/@hey-api/openapi-ts/bin/run.js',
      ...['--input', input, '--output', join(folder, 'client')],
      ...['--plugins', '@hey-api/typescript', '--silent', '--no-log-file'],
    ]);
    if (status !== 0) throw new Error(`openapi-ts ended with status ${status}: ${output}`);
    return Object.entries(TEXTS).reduce(
      (types, [name, { declaration }]) =>
        types.replace(`export type ${name} = string;`, declaration),
      readFileSync(join(folder, 'client/types.gen.ts'), 'utf8'),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withTexts({ components, ...document }) {
  const texts = Object.entries(TEXTS).map(([name, { description }]) => [
    name,
    { type: 'string', description },
  ]);
  const schemas = { ...components.schemas, ...Object.fromEntries(texts) };
  return { ...document, components: { ...components, schemas } };
}

/** The names of the properties that hold money in responses: what `money: 'text'` keeps as text. */
function moneyOf({ paths, components: { schemas } }) {
  const isMoney = ({ $ref }) => {
    const { type, format } = schemas[$ref?.split('/').at(-1)] ?? {};
    return type === 'number' && format === 'decimal';
  };
  const [names, others, seen] = [new Set(), new Set(), new Set()];
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    const name = value.$ref?.split('/').at(-1);
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      visit(schemas[name]);
    }
    for (const [property, schema] of Object.entries(value.properties ?? {})) {
      const forms = [schema, ...(schema.anyOf ?? [])];
      if (forms.some(isMoney)) names.add(property);
      else if (forms.some(({ type }) => [type].flat().some((each) => NUMBERS.includes(each))))
        others.add(property);
    }
    Object.values(value).forEach(visit);
  };
  for (const call of Object.values(paths).flatMap(Object.values)) visit(call.responses);
  const both = [...names].filter((name) => others.has(name));
  if (names.size === 0 || both.length > 0)
    throw new Error(`Money and other numbers share these names: ${both.join(', ')}`);
  const list = [...names].toSorted().map((name) => `'${name}'`);
  return `/** The properties that hold money. */\nexport const MONEY = [${list.join(', ')}] as const;\n`;
}

/** The names of the events that webhooks announce, each with the schema of its body. */
export const eventsOf = ({ webhooks }) =>
  Object.entries(webhooks).map(([name, { post }]) => {
    const { $ref } = post.requestBody.content['application/json'].schema;
    return [name, $ref.split('/').at(-1)];
  });

function unionOf(events) {
  const schemas = events.map(([, schema]) => schema);
  return `import type {
${schemas.map((schema) => `  ${schema},\n`).join('')}} from './types.js';

/**
 * An event as a receiver gets it; \`webhook_event\` tells the kinds apart. A newer service sends further
 * kinds and members: accept them.
 */
export type ReceivedEvent =
${schemas.map((schema) => `  | ${schema}`).join('\n')};
`;
}
