import type { Configuration } from '../../../providers/adapter.js';
import { createEnableBankingProvider } from '../../../providers/enable-banking/enable-banking-adapter.js';
import type { ConfigurationReport } from '../../../providers/contract/provider.js';
import {
  enableBankingConfiguration,
  newKeys,
  registerApplication,
  REDIRECT_ADDRESS,
  type TestApplication,
} from '../../support/fixtures/enable-banking-application.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const signal = new AbortController().signal;

describe('The check of an application at Enable Banking', () => {
  let simulator: TestSimulator;
  let application: TestApplication;
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking');
    application = await registerApplication(simulator.url);
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const check = (
    configuration: Configuration,
    options?: Parameters<typeof createEnableBankingProvider>[1],
  ): Promise<ConfigurationReport> =>
    createEnableBankingProvider(configuration, options).check(signal);
  const failedLines = ({ lines }: ConfigurationReport) => lines.filter(({ ok }) => !ok);

  it('passes for an application that works, with one call that reads no data', async () => {
    const report = await check(enableBankingConfiguration(application));
    expect(report).toMatchObject({ ok: true, keysRefused: false, credentialsEndAt: null });
    expect(report.lines.map(({ what }) => what)).toEqual([
      'the clock of this machine is right',
      'the application accepts the private key',
      'the application is active',
      'the redirect address is registered',
      'the application is one of this environment',
    ]);
    expect(report.lines.every(({ remedy }) => remedy === null)).toBe(true);
    expect((await simulator.requests()).map(({ path }) => path)).toEqual(['/application']);
  });

  it('reports that the key is wrong and must be replaced', async () => {
    const { privateKey } = await newKeys();
    const report = await check(enableBankingConfiguration({ ...application, privateKey }));
    expect(report).toMatchObject({ ok: false, keysRefused: true });
    expect(failedLines(report)).toMatchObject([
      {
        what: 'the application accepts the private key',
        remedy: expect.stringContaining('providers rotate') as string,
      },
    ]);
    expect(JSON.stringify(report)).not.toContain(privateKey.split('\n')[1]);
  });

  it.each([
    ['is not active', { isActive: false }, 'the application is active', 'Activate'],
    [
      'allows other addresses',
      { isAddressAllowed: false },
      'the address of this machine',
      'public',
    ],
  ])('reports that the application %s', async (_case, changes, what, remedy) => {
    const other = await registerApplication(simulator.url, changes);
    const report = await check(enableBankingConfiguration(other));
    expect(report).toMatchObject({ ok: false, keysRefused: true });
    expect(failedLines(report)).toMatchObject([
      {
        what: expect.stringContaining(what) as string,
        remedy: expect.stringContaining(remedy) as string,
      },
    ]);
  });

  it('reports that the redirect address is not registered, and names the one to add', async () => {
    const other = await registerApplication(simulator.url, {
      redirectUrls: [`${REDIRECT_ADDRESS}/`],
    });
    const report = await check(enableBankingConfiguration(other));
    expect(report).toMatchObject({ ok: false, keysRefused: false });
    expect(failedLines(report)).toMatchObject([
      {
        what: 'the redirect address is registered',
        remedy: expect.stringContaining(`Add ${REDIRECT_ADDRESS} `) as string,
      },
    ]);
  });

  it('reports that an application of Production does not exist in Sandbox', async () => {
    const other = await registerApplication(simulator.url, { environment: 'PRODUCTION' });
    const report = await check(enableBankingConfiguration(other));
    expect(failedLines(report)).toMatchObject([{ detail: 'PRODUCTION, used in sandbox' }]);
    expect(report.keysRefused).toBe(false);
  });

  it.each([
    ['an hour behind', -3_600, 'behind'],
    ['two days ahead', 172_800, 'ahead of'],
  ])(
    'blames a clock that is %s, and not the key that it makes useless',
    async (_case, by, word) => {
      const now = () => new Date(Date.now() + by * 1_000);
      const report = await check(enableBankingConfiguration(application), { now });
      expect(report).toMatchObject({ ok: false, keysRefused: false });
      expect(failedLines(report)).toMatchObject([
        {
          what: 'the clock of this machine is right',
          detail: expect.stringContaining(word) as string,
          remedy: expect.stringContaining('NTP') as string,
        },
        { remedy: 'Set the clock first.' },
      ]);
    },
  );

  it.each([
    'refuse',
    'status_500',
    'status_429',
    'html_403',
    'broken_json',
    'wrong_shape',
    'redirect',
    'huge',
    'silent',
    'slow',
  ])('reports an API that returns %s, without blaming the key', async (name) => {
    await simulator.script(name, { path: '/application' });
    const http = { silenceTimeoutMs: 300, callTimeoutMs: 600, maxResponseBytes: 256 * 1024 };
    const report = await check(enableBankingConfiguration(application), { http });
    expect(report).toMatchObject({ ok: false, keysRefused: false });
    expect(failedLines(report)).toMatchObject([{ what: 'Enable Banking answers' }]);
  });

  it('rejects with the reason of the signal when it is aborted', async () => {
    const reason = new Error('no longer wanted');
    const provider = createEnableBankingProvider(enableBankingConfiguration(application));
    await expect(provider.check(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
