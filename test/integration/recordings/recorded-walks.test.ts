import { judgeRecording } from '../../../providers/recordings/judge-recording.js';
import type { Recording } from '../../../providers/recordings/recording.js';
import { recordWalk } from '../../../providers/recordings/record-walk.js';
import { replayRecording } from '../../../providers/recordings/replay-recording.js';
import type { SimulatedVendor } from '../../support/proof/simulated-vendor.js';
import {
  recordSimulated,
  SIMULATED_VENDORS,
  VENDOR_ORIGIN,
} from '../../support/proof/simulated-walks.js';
import { startVendorSimulator } from '../../support/services/vendor-simulators.js';

const today = (): string => new Date().toISOString().slice(0, 10);

describe.each(Object.entries(SIMULATED_VENDORS))('A walk recorded through %s', (_name, start) => {
  let vendor: SimulatedVendor;
  let recording: Recording;
  const judge = (changed: object) =>
    judgeRecording(JSON.stringify(changed), vendor.profile, today());
  beforeAll(async () => {
    vendor = await start();
    recording = await recordSimulated(vendor);
  });
  afterAll(() => vendor.close());

  it('is replayed without the vendor, and reads the recorded data', async () => {
    expect(judge(recording)).toEqual({ recording });
    expect(recording.outcome.accounts).not.toHaveLength(0);
    expect(recording.outcome.transactions?.count).toBeGreaterThan(5);
    expect(recording.outcome.check.every(({ ok }) => ok)).toBe(true);
    const { adapter, profile } = vendor;
    expect(await replayRecording(adapter, profile, recording)).toEqual(recording.outcome);
  });

  it('fails when its responses can no longer be parsed', async () => {
    const { adapter, profile } = vendor;
    const calls = recording.calls.map((call) => ({
      ...call,
      body: call.step === 'accounts' ? '{}' : call.body,
    }));
    await expect(replayRecording(adapter, profile, { ...recording, calls })).rejects.toMatchObject({
      name: 'ProviderFailure',
    });
  });

  it('contains no name, id, number, amount, key or token of the configuration and the ledger', async () => {
    const simulator = await startVendorSimulator('simplefin');
    const { customers } = await simulator.ledger();
    await simulator.close();
    const text = JSON.stringify(recording);
    const private_ = customers.flatMap(({ connections }) =>
      connections.flatMap(({ accounts }) =>
        accounts.flatMap(({ name, rows }) => [name, ...rows.map(({ description }) => description)]),
      ),
    );
    expect(private_.length).toBeGreaterThan(100);
    const secrets = Object.values(vendor.configuration.secrets).map((secret) =>
      secret.slice(40, 80),
    );
    for (const shown of [...new Set([...private_, ...secrets])])
      if (shown.length > 3) expect(text).not.toContain(shown);
    for (const { body } of recording.calls.filter(({ step }) => step === 'transactions'))
      expect(body).not.toMatch(/"amount":"?-?[0-689]/);
    expect(text).not.toMatch(/127\.0\.0\.1|Bearer|Basic /);
  });

  it('is refused when it was recorded on this machine', async () => {
    const judged = judge(await recordSimulated(vendor, { isNamed: false }));
    expect(JSON.stringify(judged)).toMatch(/origin: https?:\/\/(127\.0\.0\.1|localhost):\d+ is /);
  });

  it('is refused without its day, with a future day, and when it was edited', () => {
    const { recordedOn: _, ...undated } = recording;
    expect(judge(undated)).toEqual({
      problems: [expect.stringContaining('recordedOn: ') as string],
    });
    expect(judge({ ...recording, recordedOn: '2999-01-01' })).toMatchObject({
      problems: expect.arrayContaining(['recordedOn: 2999-01-01 is in the future']) as string[],
    });
    expect(judge({ ...recording, country: 'XX' })).toEqual({
      problems: ['sha256: it was changed after it was recorded'],
    });
  });

  it('is refused with a field that was not scrubbed', () => {
    const at = recording.calls.findIndex(({ step }) => step === 'accounts');
    const calls = recording.calls.with(at, {
      ...(recording.calls[at] as Recording['calls'][number]),
      body: '{"holder":{"name":"Ada Lovelace"},"amount":"12.50","since":1815}',
    });
    expect(judge({ ...recording, calls })).toMatchObject({
      problems: expect.arrayContaining(
        ['.holder.name', '.amount', '.since'].map(
          (path) => expect.stringContaining(`: ${path} is not scrubbed`) as string,
        ),
      ) as string[],
    });
  });

  it('is refused for a Live configuration, before any call', async () => {
    const { adapter, profile, configuration } = vendor;
    const refused = recordWalk({
      adapter,
      profile,
      configuration: { ...configuration, environment: 'live' },
      link: null,
      now: new Date(),
      signal: AbortSignal.timeout(60_000),
      nameOrigin: () => VENDOR_ORIGIN,
    });
    await expect(refused).rejects.toThrow('Only configurations of the Sandbox are recorded');
  });
});
