import type { AppBackEnd } from '../support/actors/link-journey.js';
import { eventually } from '../support/assertions/eventually.js';
import { Canaries } from '../support/fixtures/canaries.js';
import type { StoredLink } from '../support/fixtures/stored-link.js';
import type { RunningWorker } from './support/compiled-worker.js';
import { ConfiguredStage } from './support/configured-stage.js';

const FIRST_KEY = 'canary-first-key-of-the-operator';
const SECOND_KEY = 'canary-second-key-of-the-operator';

let stage: ConfiguredStage;
let worker: RunningWorker;
let link: StoredLink;
let app: AppBackEnd;

beforeAll(async () => {
  stage = await ConfiguredStage.open();
  stage.source.acceptedKey = FIRST_KEY;
  await stage.offerSandboxBanks();
  expect(await stage.sandboxBanks()).toBeGreaterThan(0);
  worker = await stage.startWorker();
  app = await stage.startApi();
});
afterAll(() => stage?.close());

const calls = () => stage.source.calls;
const served = (revision: number) => () => {
  expect(worker.logged('provider.served').map((line) => line['revision'])).toContain(revision);
};
const fetched = async (of = link) => {
  expect(await stage.standing(of)).toMatchObject({ accounts: 'completed', isRunning: false });
};
const stateOf = async (name: string) => {
  const { stdout } = await stage.providers(['show', name, '--json']);
  return (JSON.parse(stdout) as { state: string }).state;
};

describe('A worker without SANDBOX_BANK_URL', () => {
  it('runs, and offers no sandbox bank of an earlier start', async () => {
    expect(worker.logged('temporal.workers_running')).toHaveLength(1);
    expect(await stage.sandboxBanks()).toBe(0);
  });

  it.each<[method: string, path: string, body: object | undefined, error: string]>([
    ['POST', '/sandbox/link', { institution_id: 'first-bank' }, 'institution_error.not_found'],
    [
      'POST',
      '/sandbox/institutions/first-bank/faults',
      { kind: 'server_error' },
      'institution_error.not_found',
    ],
    ['GET', '/sandbox/institutions/first-bank/faults', undefined, 'institution_error.not_found'],
    ['DELETE', '/sandbox/faults/flt_none', undefined, 'sandbox_error.not_found'],
  ])(
    'has %s %s answered with the error for a missing resource',
    async (method, path, body, error) => {
      const answer = await app.call(method, path, { body });
      expect(answer).toMatchObject({ status: 404, body: { error_code: error } });
    },
  );
});

describe('A configuration', () => {
  it('is served by a running worker, together with the calls that waited for it', async () => {
    link = await stage.addLink('trial');
    await stage.refresh(link);
    expect(calls()).toEqual([]);
    expect(
      (await stage.providers(['add', 'trial', '--secret', 'api_key=-'], FIRST_KEY)).status,
    ).toBe(0);
    await eventually(() => fetched());
    expect(calls()).toMatchObject([{ name: 'trial', settings: { retries: 2 } }]);
    expect((await stage.providers(['check', 'trial'])).status).toBe(0);
  });

  it('is used with its changes by all calls from then on', async () => {
    await stage.providers(['set', 'trial', '--set', 'retries=5']);
    await eventually(served(2));
    await stage.refresh(link);
    await eventually(() => {
      expect(calls()).toHaveLength(2);
    });
    expect(calls()[1]).toMatchObject({ settings: { retries: 5 } });
  });

  it('finishes its calls when it is disabled, and accepts new ones only once it is enabled', async () => {
    const other = await stage.addLink('trial');
    stage.source.isHolding = true;
    await stage.refresh(link);
    await eventually(() => {
      expect(stage.source.waiting).toBe(1);
    });
    await stage.providers(['disable', 'trial']);
    await eventually(() => {
      expect(worker.logged('provider.draining')).toHaveLength(1);
    });
    await stage.refresh(other);
    stage.source.release();
    await eventually(() => {
      expect(worker.logged('provider.drained')).toHaveLength(1);
    });
    await eventually(() => fetched());
    await eventually(async () => {
      expect(await stage.standing(other)).toMatchObject({ link: 'connected', isRunning: true });
    });
    expect(calls()).toHaveLength(3);

    await stage.providers(['enable', 'trial']);
    await eventually(() => fetched(other));
    expect(calls()).toHaveLength(4);
  });
});

describe('A configuration whose keys the source refuses', () => {
  it('is broken after one call, and the source is not called again', async () => {
    stage.source.acceptedKey = SECOND_KEY;
    await stage.refresh(link);
    await eventually(async () => {
      expect(await stage.standing(link)).toMatchObject({ accounts: 'failed', isRunning: false });
    });
    expect(await stateOf('trial')).toBe('broken');
    expect(worker.logged('provider.keys_refused')).toHaveLength(1);
    const before = calls().length;
    await stage.refresh(link);
    await eventually(async () => {
      expect(await stage.standing(link)).toMatchObject({ accounts: 'failed', isRunning: false });
    });
    expect(calls()).toHaveLength(before);
    expect(await stage.metricsOf(worker)).toContain(
      'tributary_provider_broken{provider="trial"} 1',
    );
  });

  it('changes the state of no link, although the first failed run would', async () => {
    expect(await stage.standing(link)).toMatchObject({
      link: 'connected',
      accounts: 'failed',
      cause: 'internal',
      faultyRuns: 0,
    });
  });

  it('heals with new keys', async () => {
    stage.source.credentialsEndAt = new Date('2027-03-01T00:00:00Z');
    await stage.providers(['rotate', 'trial', '--secret', 'api_key=-'], SECOND_KEY);
    expect((await stage.providers(['check', 'trial'])).status).toBe(0);
    await stage.refresh(link);
    await eventually(() => fetched());
    expect(await stateOf('trial')).toBe('ok');
    await eventually(async () => {
      expect(await stage.metricsOf(worker)).toContain(
        `tributary_provider_credentials_end_seconds{provider="trial"} ${Date.parse('2027-03-01T00:00:00Z') / 1_000}`,
      );
    });
  });
});

describe('Several workers', () => {
  it('start serving a configuration together, and stop together', async () => {
    const second = await stage.startWorker();
    await eventually(() => {
      expect(second.logged('provider.served')).toHaveLength(1);
    });
    await worker.stop();
    stage.workers.splice(stage.workers.indexOf(worker), 1);
    await stage.refresh(link);
    await eventually(() => fetched());
    await stage.providers(['disable', 'trial']);
    await eventually(() => {
      expect(second.logged('provider.drained')).toHaveLength(1);
    });
    await stage.providers(['enable', 'trial']);
    worker = second;
  });
});

describe('A configuration that cannot be opened', () => {
  it('is logged by its name and shown, and the worker serves the others', async () => {
    await stage.providers(['add', 'trial', '--name', 'other', '--secret', 'api_key=-'], SECOND_KEY);
    expect((await stage.providers(['check', 'other'])).status).toBe(0);
    await stage.loseMasterKeyOf('other');
    await stage.providers(['disable', 'other']);
    await stage.providers(['enable', 'other']);
    await eventually(() => {
      expect(worker.logged('provider.unusable')[0]).toMatchObject({
        provider: 'other',
        reason: expect.stringContaining('MASTER_KEYS lacks the key "lost"'),
      });
    });
    await eventually(async () => {
      expect(await stateOf('other')).toBe('broken');
    });
    expect((await stage.providers(['show', 'other'])).stdout).toContain('lacks the key "lost"');
    expect(await stage.providers(['set', 'other', '--set', 'retries=1'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The secrets of other cannot be opened'),
    });
    await stage.refresh(link);
    await eventually(() => fetched());
  });
});

describe('Secrets', () => {
  it('are in no log, history, metric or printed text', async () => {
    const canaries = new Canaries();
    canaries.add('first key', FIRST_KEY);
    canaries.add('second key', SECOND_KEY);
    canaries.add('credential', 'canary-credential-of-a-user');
    // One text of each link, to prove that the search also works where a secret would be.
    canaries.add('link', link.linkId);
    const texts = await stage.everythingReadable();
    expect(texts).toContain('provider.served');
    expect(canaries.findIn(texts)).toEqual(['link']);
  });
});
