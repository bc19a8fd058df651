import { mkdirSync, writeFileSync } from 'node:fs';
import documented from '../../../docs/openapi.json' with { type: 'json' };
import { EXAMPLE_ADDRESS, readExamples } from '../../../apps/api/src/openapi/recorded-examples.js';
import { WEBHOOKS } from '../../../apps/api/src/openapi/models/webhook.model.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { ExampleCalls, type Exchange } from './support/example-calls.js';
import { walk } from './support/example-walk.js';
import { differencesOf } from './support/differences-of.js';
import { StableExamples } from './support/stable-example.js';

const FOLDER = new URL('../../../apps/api/src/openapi/examples/', import.meta.url);

interface Described {
  operationId: string;
  tags: string[];
}

let service: SharedService;
let receiver: WebhookReceiver;
let operations: Record<string, Exchange>;
let webhooks: Record<string, unknown>;

beforeAll(async () => {
  service = await shareService();
  const { base_url: baseUrl } = service.info;
  receiver = await WebhookReceiver.start({ verify: baseUrl });
  const startedAt = Date.now();
  const calls = new ExampleCalls(baseUrl);
  const webhook = receiver.url('/webhooks');
  await walk(calls, { baseUrl, pair: service.app.sandbox, webhook });
  const stable = new StableExamples(startedAt, {
    [webhook]: 'https://app.example/webhooks',
    [baseUrl]: EXAMPLE_ADDRESS,
    'App of a file': 'Pocket Ledger',
    'app-of-a-file': 'pocket-ledger',
  });
  operations = Object.fromEntries(
    [...calls.made].map(([id, exchange]) => [id, stable.of(exchange) as Exchange]),
  );
  const sent = receiver.received.map(({ body }) => body);
  const events = sent.filter(({ state }) => !['connecting', 'deleted'].includes(String(state)));
  webhooks = Object.fromEntries(
    Object.keys(WEBHOOKS).map((name) => [
      name,
      stable.of(events.findLast(({ webhook_event: event }) => event === name)),
    ]),
  );
  if (process.env['RECORD_EXAMPLES'] === '1') record();
});
afterAll(() => receiver?.stop());

/** One file for each tag of the document. */
function record(): void {
  const described = Object.values(documented.paths as Record<string, Record<string, Described>>)
    .flatMap((methods) => Object.values(methods))
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1));
  mkdirSync(FOLDER, { recursive: true });
  for (const tag of new Set(described.flatMap(({ tags }) => tags))) {
    const ofTag = described
      .filter(({ tags, operationId }) => tags.includes(tag) && operationId in operations)
      .map(({ operationId }) => [operationId, operations[operationId]]);
    write(tag.toLowerCase().replaceAll(' ', '-'), Object.fromEntries(ofTag));
  }
  write('events', webhooks);
}

const write = (name: string, content: unknown): void =>
  writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(content, null, 1)}\n`);

describe('The examples of the OpenAPI document', () => {
  it('have the form of the requests and responses of the service', () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(readExamples().operations).sort());
    expect(differencesOf(operations, readExamples().operations)).toEqual([]);
  });

  it('have the form of the webhooks that the service sends', () => {
    expect(differencesOf(webhooks, readExamples().webhooks)).toEqual([]);
  });
});
