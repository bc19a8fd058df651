import { fileURLToPath } from 'node:url';
import { createCommandPerformer } from '../../apps/worker/src/outbox/perform-command.js';
import { bundleWorkflows } from '../../apps/worker/src/temporal/bundle-workflows.js';
import { LINKS_QUEUE } from '../../workflows/task-queues.js';
import { WORKFLOWS } from '../../workflows/workflow-list.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { detailsOf, TestTemporal } from '../support/services/test-temporal.js';
import {
  TOY_FLIGHT_CONTRACT,
  toyFlightWorkflowId,
} from './toys/toy-workflow/toy-flight.contract.js';
import { landedSignal } from './toys/toy-workflow/toy-flight.workflow.js';
import { settingsTables } from '../../docs/generators/adapter-settings.mjs';
import { asText, describeSettings } from '../../apps/operator/src/adapter-options.js';
import { RESOURCES } from '../../apps/api/src/server/api.module.js';
import { MANIFESTS } from '../../providers/manifests.js';
import { linkInstantBank } from '../support/actors/link-instant-bank.js';
import type { AppBackEnd } from '../support/actors/link-journey.js';
import type { TransactionsPage } from '../support/actors/response-bodies.js';
import { ToyModule } from './toys/toy-call/toy.module.js';
import { TOY } from './toys/toy-source/manifest.js';
import { ConfiguredStage } from './support/configured-stage.js';

/**
 * docs/contributing: each toy is a folder, and one entry of one list. The lists that a call of the
 * API is named in as well, six places in all, are those of test/architecture/routes.test.ts.
 */
const ADAPTERS = [...MANIFESTS, TOY];
const CALLS = [...RESOURCES, ToyModule];
const CONTRACTS = [...WORKFLOWS, TOY_FLIGHT_CONTRACT];

let stage: ConfiguredStage;
let app: AppBackEnd;

beforeAll(async () => {
  stage = await ConfiguredStage.open({ manifests: ADAPTERS, resources: CALLS });
  await stage.startWorker();
  app = await stage.startApi();
});
afterAll(() => stage?.close());

describe('An adapter that is a folder and an entry of the list of manifests', () => {
  const BANK = 'toy-source-bank';

  beforeAll(async () => {
    const added = await stage.providers(['add', TOY.name, '--environment', 'sandbox']);
    expect(added).toMatchObject({ status: 0 });
    const synced = await stage.operate(['institutions', 'sync', TOY.name]);
    expect(synced).toMatchObject({ status: 0 });
  });

  it('is listed with its settings for operators', async () => {
    const { stdout } = await stage.providers(['adapters']);
    expect(stdout).toMatch(
      /toy-source\n.*\n?.*bankName +setting +false +Toy Bank +What users call/s,
    );
  });

  it('has a table of its settings for its page', () => {
    expect(settingsTables(TOY.settings, { asText, describeSettings })).toContain(
      '| `bankName` | `Toy Bank` | What users call the bank. |',
    );
  });

  it('has its institution offered, linked and read over the API', async () => {
    expect(await app.get(`/institutions/${BANK}`)).toMatchObject({ name: 'Toy Bank' });
    const { linkId } = await linkInstantBank(app, { institution_id: BANK });
    await app.untilRefreshed(linkId, 'transactions');
    const page = await app.get<TransactionsPage>(`/links/${linkId}/transactions`);
    expect(page).toMatchObject({
      transactions: [{ description: 'Pocket money', amount: 2.5, type: 'credit' }],
      accounts: [{ name: 'Piggy Bank', account_type: 'depository.savings' }],
    });
  });
});

describe('A call that is a module and an entry of the list of resources', () => {
  const wish = async (body: string, bearer: string | null) =>
    fetch(`${app.baseUrl}/toys`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      },
    });

  it('responds to a caller with its scope', async () => {
    const response = await wish('{"toy":"kite"}', await app.accessToken());
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 201,
      body: { toy: 'kite', app: 'An app' },
    });
  });

  it.each([
    ['without a token', '{"toy":"kite"}', false, 401],
    ['that does not match its schema', '{"toy":7}', true, 422],
    ['beyond the limits that it declares', `{"toy":"${'k'.repeat(64)}"}`, true, 413],
  ])('refuses a request %s', async (_title, body, hasToken, status) => {
    const response = await wish(body, hasToken ? await app.accessToken() : null);
    expect(response.status).toBe(status);
  });

  it('is part of the OpenAPI document', async () => {
    const document = (await (await fetch(`${app.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.paths['/toys']?.['post']).toMatchObject({
      operationId: 'toys.wish',
      summary: 'Wish for a toy',
      security: [{ accessToken: ['links:write'] }],
      requestBody: { content: { 'application/json': { example: { toy: 'kite' } } } },
      responses: { 201: {}, 401: {}, 413: {} },
    });
  });
});

describe('A workflow that is a folder and an entry of the list of contracts', () => {
  const launched: string[] = [];
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const index = fileURLToPath(new URL('toys/toy-workflow/index.ts', import.meta.url));
    const activities = { launchToy: async (toy: string) => 10 * launched.push(toy) };
    await temporal.startWorkers([{ taskQueue: LINKS_QUEUE, activities }], {
      workflowBundle: await bundleWorkflows(index),
    });
  });
  afterAll(() => temporal?.close());

  it('is started by its command of the outbox, shows its wait, and ends with its result', async () => {
    const perform = createCommandPerformer({
      client: temporal.client,
      workflows: CONTRACTS,
    } as unknown as Parameters<typeof createCommandPerformer>[0]);
    const command = { kind: 'startToyFlight', toy: 'kite' };
    await perform(command as unknown as Parameters<typeof perform>[0]);
    const handle = temporal.client.workflow.getHandle(toyFlightWorkflowId('kite'));
    await eventually(async () => {
      expect(await detailsOf(handle)).toMatch(/^Waits for \*\*`kite` to land\*\* since /);
    });
    await handle.signal(landedSignal);
    expect(await handle.result()).toEqual({ meters: 10 });
    expect(launched).toEqual(['kite']);
  });
});
