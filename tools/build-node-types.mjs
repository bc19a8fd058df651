import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withOpenLists } from './open-lists.mjs';
import { runNode } from './process.mjs';

/** Calls of the hosted app, of operators and of data sources: no back end of an app makes them. */
const OF_OTHERS = /^(connect|service|providers)\./;

/**
 * Any text, beside known values. Written as `string`, it would swallow them, and editors could no
 * longer suggest them.
 */
const ANY_TEXT = 'AnyText';
const openList = (known) => ({
  anyOf: [{ type: 'string', enum: known }, { $ref: `#/components/schemas/${ANY_TEXT}` }],
});

/** The generated sources of clients/node by their names, each from the OpenAPI document. */
export const NODE_TYPES = {
  'types.ts': (document) => typesOf(forApps(document)),
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
    writeFileSync(input, JSON.stringify(withAnyText(withOpenLists(document, openList))));
    const { status, output } = await runNode([
      'node_modules/@hey-api/openapi-ts/bin/run.js',
      ...['--input', input, '--output', join(folder, 'client')],
      ...['--plugins', '@hey-api/typescript', '--silent', '--no-log-file'],
    ]);
    if (status !== 0) throw new Error(`openapi-ts ended with status ${status}: ${output}`);
    return readFileSync(join(folder, 'client/types.gen.ts'), 'utf8').replace(
      `export type ${ANY_TEXT} = string;`,
      `export type ${ANY_TEXT} = string & {};`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withAnyText = ({ components, ...document }) => ({
  ...document,
  components: {
    ...components,
    schemas: {
      ...components.schemas,
      [ANY_TEXT]: { type: 'string', description: 'A later value.' },
    },
  },
});

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
