import { readdirSync, readFileSync } from 'node:fs';
import type { RouteDocs } from '../http/route-docs.js';

interface RecordedExamples {
  /** By operation id. */
  operations: Readonly<Record<string, { request?: unknown; response?: unknown }>>;
  /** Bodies, by event. */
  webhooks: Readonly<Record<string, unknown>>;
}

/** Stands for the address of the service in recorded examples. */
export const EXAMPLE_ADDRESS = 'https://api.example.com';

const FOLDER = new URL('./examples/', import.meta.url);

/** Requests and responses of a run of the service, which `test/e2e/documentation/recorded-examples.test.ts` records. */
export function readExamples(): RecordedExamples {
  const names = readdirSync(FOLDER).filter((name) => name !== 'events.json');
  return {
    operations: Object.assign({}, ...names.map(read)) as RecordedExamples['operations'],
    webhooks: read('events.json') as RecordedExamples['webhooks'],
  };
}

export const EXAMPLES = readExamples();

/** The example of a body: the one that its route declares, or the recorded one. */
export function exampleOf(
  { id, requestExample, response }: RouteDocs,
  body: 'request' | 'response',
): { example?: unknown } {
  const declared =
    body === 'request' ? requestExample : response.kind === 'json' ? response.example : undefined;
  const example = declared ?? EXAMPLES.operations[id]?.[body];
  return example === undefined ? {} : { example };
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}
