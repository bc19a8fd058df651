import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { RemoteObject } from '../http/remote-object.js';
import { connectionRemedy } from '../http/transport-failure.js';
import type { ConfigurationReport, ReportLine } from '../contract/provider.js';
import type { ApiClient } from './client/api-client.js';
import { ApplicationRefused, EnableBankingFailure } from './client/failure-table.js';

export interface CheckParts {
  callApi: ApiClient;
  redirectAddress: string;
  environment: 'sandbox' | 'live';
  now: () => Date;
}

/** Beyond this skew, tokens may be refused as expired or issued in the future. */
const MAX_SKEW_SECONDS = 30;
const MAX_ADDRESSES = 1_000;

const PANEL = 'https://enablebanking.com/cp/applications';

/** Reads the application itself: the key, the clock, the redirect address. Reads no user's data. */
export async function checkApplication(
  parts: CheckParts,
  signal: AbortSignal,
): Promise<ConfigurationReport> {
  let serverTime: Date | null = null;
  const clock = (): ReportLine[] =>
    serverTime === null ? [] : [clockLine(parts.now(), serverTime)];
  try {
    const response = await parts.callApi({
      method: 'GET',
      path: ['application'],
      onServerTime: (time) => (serverTime = time),
      signal,
    });
    const application = new RemoteObject(response, 'application');
    return reportOf([
      ...clock(),
      passed('the application accepts the private key'),
      ...applicationLines(application, parts),
    ]);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const lines = clock();
    const isClockRight = lines.every(({ ok }) => ok);
    const report = reportOf(
      [...lines, refusalLine(error, isClockRight)],
      isClockRight && refusesKeys(error),
    );
    return refusesKeys(error) ? report : { ...report, unreachable: ['*'] };
  }
}

const reportOf = (lines: readonly ReportLine[], keysRefused = false): ConfigurationReport => ({
  ok: lines.every(({ ok }) => ok),
  lines,
  keysRefused,
  // The API does not report when the certificate of an application expires.
  credentialsEndAt: null,
});

const passed = (what: string, detail: string | null = null): ReportLine => ({
  what,
  ok: true,
  detail,
  remedy: null,
});

const failed = (what: string, detail: string | null, remedy: string): ReportLine => ({
  what,
  ok: false,
  detail,
  remedy,
});

function clockLine(now: Date, serverTime: Date): ReportLine {
  const what = 'the clock of this machine is right';
  const seconds = Math.round((now.getTime() - serverTime.getTime()) / 1_000);
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS) return passed(what);
  const detail = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} Enable Banking`;
  return failed(
    what,
    detail,
    'Set the clock of every machine with a worker, by NTP for example. Keys are checked only after that.',
  );
}

/**
 * Any refusal of the application itself; a page from a proxy in front of the API is not evidence.
 */
const refusesKeys = (error: ProviderFailure): error is ApplicationRefused | EnableBankingFailure =>
  error instanceof ApplicationRefused ||
  (error instanceof EnableBankingFailure &&
    [401, 403].includes(error.status) &&
    error.providerCause === 'internal');

const REFUSALS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  UNAUTHORIZED_IP: [
    'the address of this machine is allowed',
    `Add the public address of the machines with workers to the application at ${PANEL}.`,
  ],
  ACCESS_DENIED: [
    'the application is active',
    `Activate the application at ${PANEL}: link your own accounts there, or sign the contract.`,
  ],
};

const WRONG_KEY: readonly [string, string] = [
  'the application accepts the private key',
  `Compare applicationId with ${PANEL}, and replace the key with the one whose certificate was uploaded there: providers rotate <name> --secret privateKey=@key.pem.`,
];
const UNREACHABLE: readonly [string, string] = [
  'Enable Banking answers',
  'Check that the workers may reach apiAddress (DNS, firewall, proxy). If they may, the API itself is down.',
];

function refusalLine(error: ProviderFailure, isClockRight: boolean): ReportLine {
  if (!refusesKeys(error))
    return failed(UNREACHABLE[0], error.message, connectionRemedy(error) ?? UNREACHABLE[1]);
  const [what, remedy] = REFUSALS[error.code ?? ''] ?? WRONG_KEY;
  return failed(what, error.message, isClockRight ? remedy : 'Set the clock first.');
}

function applicationLines(
  application: RemoteObject,
  { redirectAddress, environment }: CheckParts,
): ReportLine[] {
  const isActive = application.boolean('active');
  const addresses = application.textList('redirect_urls', { count: MAX_ADDRESSES, max: 2_048 });
  const kind = application.oneOf('environment', ['SANDBOX', 'PRODUCTION']);
  const isOfEnvironment = (kind === 'SANDBOX') === (environment === 'sandbox');
  const [active, activate] = REFUSALS['ACCESS_DENIED'] ?? WRONG_KEY;
  return [
    isActive ? passed(active) : failed(active, null, activate),
    addresses.includes(redirectAddress)
      ? passed('the redirect address is registered', redirectAddress)
      : failed(
          'the redirect address is registered',
          `${redirectAddress} is not among the ${addresses.length} of the application`,
          `Add ${redirectAddress} to the redirect URLs of the application at ${PANEL}, letter by letter. If it is not BASE_URL followed by /connect/oauth/callback, correct it: providers set <name> --set redirectAddress=….`,
        ),
    isOfEnvironment
      ? passed('the application is one of this environment', kind)
      : failed(
          'the application is one of this environment',
          `${kind}, used in ${environment}`,
          'Applications cannot change: register one of the other environment, or add the configuration with the other --environment.',
        ),
  ];
}
