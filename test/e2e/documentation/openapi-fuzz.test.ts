import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { assemble, type Cast } from './openapi-fuzz/cast.js';
import { Judge } from './openapi-fuzz/judge.js';
import { numbersOf } from './openapi-fuzz/number-edges.js';
import { operationsOf, type Document, type Operation } from './openapi-fuzz/operations.js';
import { requestsOf, validRequestsOf, type FuzzRequest } from './openapi-fuzz/requests.js';
import { send } from './openapi-fuzz/send.js';
import { stageFor } from './openapi-fuzz/stages.js';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { SEED } from '../../support/runner/seed.js';
import { withoutSchedule } from '../../support/assertions/without-schedule.js';
import type { Tenant } from './openapi-fuzz/tenants.js';

/** Everything a tenant can read of its own data, except for values that change by themselves. */
async function everythingOf({ app, has }: Tenant): Promise<unknown> {
  const [user = '', link = '', world = ''] = [has.users[0], has.links[0], has.worlds[0]];
  const paths = [
    '/links',
    ...has.links.map((id) => `/links/${id}`),
    `/users/${user}/accounts`,
    `/users/${user}/links`,
    `/users/${user}/simplefin-tokens`,
    `/links/${link}/transactions?size=1000&start_date=1900-01-01`,
    `/sandbox/worlds/${world}`,
    '/sandbox/institutions/sandbox-instant-bank/faults',
  ];
  const [log, { worlds }, ...read] = await Promise.all([
    app.get<{ events: { event_id: string; body: unknown }[] }>('/webhooks/events?limit=500'),
    app.get<{ worlds: { world_id: string }[] }>('/sandbox/worlds'),
    ...paths.map((path) => app.get(path)),
  ]);
  // Deliveries continue, and the clock of the default world runs.
  const events = log.events.map(({ event_id: id, body }) => ({ id, body }));
  return { events, worlds: worlds.map(({ world_id: id }) => id), read: withoutSchedule(read) };
}

/** `npm run test:all` sets FUZZ_CASES for more cases of each operation. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 3);
/**
 * An operation that has not succeeded yet is tried again with as many cases, so that few cases
 * suffice for most.
 */
const MAX_ROUNDS = 15;
/** A smaller counterexample is useful, but each shrink is a call. */
const MAX_SHRINKS = 100;
const WITHIN_MS = 120_000 + CASES * 3_000;
/** They succeed only by chance. Every other operation succeeds at least once in each run. */
const RARELY_SUCCEEDS = [
  // No configuration exists here.
  'GET /provider-keys/{source}',
  'POST /provider-webhooks/{source}/{key}',
  'GET /connect/oauth/callback',
  'POST /connect/api/session/step',
  'POST /connect/api/session/oauth/return',
  'POST /connect/api/session/reopen',
  'POST /connect/api/session/resume',
];

/** Read before the service runs. A test compares this file with the response of the service. */
const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);
const names = operationsOf(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document).map(
  ({ name }) => name,
);

serviceOfFile();

let receiver: WebhookReceiver;
let document: Document;
let cast: Cast;
let judge: Judge;
let before: unknown;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  document = (await (await fetch(`${service.info.base_url}/openapi.json`)).json()) as Document;
  cast = await assemble(service, receiver.url());
  judge = new Judge([cast.own, cast.victim]);
  before = await everythingOf(cast.victim);
});

afterAll(() => receiver?.stop());

/** Returns the statuses that occurred. */
async function fuzz(name: string): Promise<number[]> {
  const statuses = new Set<number>();
  const maxRounds = RARELY_SUCCEEDS.includes(name) ? 1 : MAX_ROUNDS;
  for (let round = 0; round < maxRounds && !hasSuccess([...statuses]); round += 1)
    for (const status of await fuzzOnce(name, seedFor(name) + round)) statuses.add(status);
  return [...statuses];
}

function hasSuccess(statuses: number[]): boolean {
  return statuses.some((status) => status < 400);
}

async function fuzzOnce(name: string, seed: number): Promise<Set<number>> {
  const operation = operationNamed(name);
  const requests = requestsOf(operation, document, await stageFor(operation, cast, CASES));
  const statuses = new Set<number>();
  const isSound = async (request: FuzzRequest) => {
    const response = await send(service.info.base_url, request);
    statuses.add(response.status);
    judge.expectSound(request, response);
  };
  const property = fc.asyncProperty(fc.limitShrink(requests, MAX_SHRINKS), isSound);
  try {
    await fc.assert(property, { numRuns: CASES, seed });
  } catch (error) {
    const { message, cause } = error as Error;
    const found = `Found with TEST_SEED=${SEED} FUZZ_CASES=${CASES}`;
    throw new Error(`${found}: ${String(cause)}\n${message}`, { cause });
  }
  return statuses;
}

function operationNamed(name: string): Operation {
  const operation = operationsOf(document).find((described) => described.name === name);
  if (operation === undefined) throw new Error(`the service does not describe ${name}`);
  return operation;
}

/** Similar operations must not be tried with the same values. */
function seedFor(name: string): number {
  return [...name].reduce((seed, letter) => (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0, SEED);
}

describe('Numbers at the edges of int32, int64 and doubles', () => {
  it.each(names)(
    'in a field of %s return only documented responses',
    async (name) => {
      const operation = operationNamed(name);
      const edged = numbersOf(operation, document);
      if (edged.length === 0) return;
      const stage = await stageFor(operation, cast, edged.length);
      for (const [index, { operation: withEdge }] of edged.entries()) {
        const valid = validRequestsOf(withEdge, document, stage);
        for (const request of fc.sample(valid, { numRuns: 1, seed: seedFor(name) + index }))
          judge.expectSound(request, await send(service.info.base_url, request));
      }
    },
    WITHIN_MS,
  );
});

describe('Requests generated from the OpenAPI document, valid and broken', () => {
  it.each(names)(
    'to %s return only documented responses, and nothing of another tenant',
    async (name) => {
      const statuses = await fuzz(name);
      const succeeded = RARELY_SUCCEEDS.includes(name) || hasSuccess(statuses);
      expect({ succeeded, statuses }).toEqual({ succeeded: true, statuses });
    },
    WITHIN_MS,
  );
});

describe('The data of a tenant whose ids other tenants tried', () => {
  it('stays unchanged', async () => {
    expect(await everythingOf(cast.victim)).toEqual(before);
  });
});
