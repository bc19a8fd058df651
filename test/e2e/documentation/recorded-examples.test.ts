import { mkdirSync, writeFileSync } from 'node:fs';
import documented from '../../../docs/openapi.json' with { type: 'json' };
import { EXAMPLE_ADDRESS, readExamples } from '../../../apps/api/src/openapi/recorded-examples.js';
import { WEBHOOKS } from '../../../apps/api/src/openapi/models/webhook.model.js';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { ExampleCalls, type Exchange } from './support/example-calls.js';
import { walk } from './support/example-walk.js';
import { createHash } from 'node:crypto';

const CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ID = /\b(mk|acc|txn|evt|whd|lsn|ses|wld|flt|sft|app|cli)_[2-9A-HJ-NP-Za-km-z]{22}/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3})(\+00:00)?$/;
/** Members that hold a secret, or text that only the service can read. */
const OPAQUE =
  /^(access_token|setup_token|link_session_token|exchangeable_token|connect_token|client_id|client_secret|next|next_cursor|cursor|state_hash|x|y|kid|body_sha256|service-signature)$/;
/** The sandbox banks, at ports of this run. */
const LOCAL = /http:\/\/127\.0\.0\.1:\d+/g;
const MAX_ROWS = 2;
const START = Date.parse('2026-03-02T10:15:00.000Z');
const GRAIN_MS = 60_000;

/**
 * Replaces what differs between two runs: ids, tokens, addresses and times of the computer. Lists are shortened to
 * their first rows.
 */
class StableExamples {
  private readonly known = new Map<string, string>();

  /** @param names of this run, and what to write instead */
  constructor(
    private readonly startedAt: number,
    private readonly names: Readonly<Record<string, string>>,
  ) {}

  of(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map((row) => this.of(row));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [this.text(key), this.of(inner, key)]),
      );
    if (name === 'duration_ms') return 12;
    if (typeof value !== 'string') return value;
    // The request of a webhook, as text.
    if (name === 'body') return JSON.stringify(this.of(JSON.parse(value)));
    if (name === 'authorize_url') return this.text(value.replace(/\?.*/, '?state=…'));
    return OPAQUE.test(name) ? this.opaque(name, value) : this.text(value);
  }

  private text(text: string): string {
    const instant = INSTANT.exec(text);
    if (instant !== null) return this.instant(text, instant[1] ?? '', instant[2] ?? '');
    const named = text
      .replaceAll(ID, (id, kind: string) => this.alias(id, () => `${kind}_${this.filler(22)}`))
      .replaceAll(UUID, (id) => this.alias(id, () => this.uuid()));
    return Object.entries(this.names)
      .reduce((shown, [name, instead]) => shown.replaceAll(name, instead), named)
      .replaceAll(LOCAL, 'https://bank.example');
  }

  /** Times of worlds stay; those of the computer are counted from a fixed start. */
  private instant(text: string, time: string, offset: string): string {
    const delta = Date.parse(`${time}Z`) - this.startedAt;
    if (delta < -GRAIN_MS) return text;
    const shown = new Date(START + Math.floor(delta / GRAIN_MS) * GRAIN_MS).toISOString();
    return shown.replace('Z', offset);
  }

  private opaque(name: string, value: string): string {
    if (value === '') return '';
    const [kind = ''] = /^[a-z]+_(?=.{20})/.exec(value) ?? [];
    return this.alias(value, () =>
      name === 'body_sha256' ? this.digest() : `${kind}${this.filler(32)}`,
    );
  }

  private alias(value: string, make: () => string): string {
    const made = this.known.get(value) ?? make();
    this.known.set(value, made);
    return made;
  }

  /** The same in every run, whose ids come in the same order. */
  private digest(): string {
    return createHash('sha256').update(String(this.known.size)).digest('hex');
  }

  private filler(length: number): string {
    const bytes = Buffer.from(this.digest(), 'hex');
    return Array.from({ length }, (_, at) => CHARACTERS[(bytes[at] ?? 0) % CHARACTERS.length]).join(
      '',
    );
  }

  private uuid(): string {
    const digest = this.digest();
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-7${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  }
}

/**
 * The places at which two values have different types or members. Null and an empty list have the form of everything,
 * since they depend on how far the work of the service is; of a list, the first rows are compared.
 */
function differencesOf(one: unknown, other: unknown, place = ''): string[] {
  if (one === null || other === null) return [];
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === 0 || other.length === 0
      ? []
      : differencesOf(one[0], other[0], `${place}[0]`);
  if (!isObject(one) || !isObject(other))
    return typeof one === typeof other ? [] : [`${place}: ${typeof one}, not ${typeof other}`];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    name in one && name in other
      ? differencesOf(one[name], other[name], `${place}.${name}`)
      : [`${place}.${name}: in one of both`],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FOLDER = new URL('../../../apps/api/src/openapi/examples/', import.meta.url);

interface Described {
  operationId: string;
  tags: string[];
}

serviceOfFile();

let receiver: WebhookReceiver;
let operations: Record<string, Exchange>;
let webhooks: Record<string, unknown>;
beforeAll(async () => {
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
