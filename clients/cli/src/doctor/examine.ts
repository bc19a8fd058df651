import { apiVersion, type Tributary } from '@tributary/node';
import { explainFailure } from '../explain-failure.js';
import type { ChosenKeyPair } from '../profiles/choose-key-pair.js';
import { examineWebhooks } from './examine-webhooks.js';
import type { Finding } from './finding.js';

/** webhooks 6: a receiver accepts signatures from a minute ahead of its clock. */
const MAX_SKEW_MS = 60_000;
const TIMEOUT_MS = 10_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Findings in the order of their dependencies; what depends on a bad one is not examined. */
export async function* examine(
  { baseUrl, clientId }: ChosenKeyPair,
  client: Tributary,
): AsyncGenerator<Finding, void, undefined> {
  yield transport(baseUrl);
  const health = await get(`${baseUrl}/health/ready`);
  yield service(baseUrl, health);
  if (health === null) return;
  yield clock(health);
  yield await versions(baseUrl);
  const pair = await keyPair(clientId, client);
  yield pair;
  if (pair.verdict === 'bad') return;
  yield await verificationKeys(client);
  yield await examineWebhooks(client);
}

function transport(baseUrl: string): Finding {
  const { protocol, hostname } = new URL(baseUrl);
  const isPrivate = protocol === 'https:' || LOOPBACK.test(hostname);
  return {
    subject: 'Address',
    verdict: isPrivate ? 'good' : 'warning',
    text: isPrivate
      ? baseUrl
      : `${baseUrl} is not encrypted: anyone on the way can read the key pair.`,
    next: isPrivate ? null : 'Use the https address of the service.',
  };
}

async function get(address: string): Promise<Response | null> {
  try {
    return await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return null;
  }
}

function service(baseUrl: string, health: Response | null): Finding {
  const subject = 'Service';
  if (health === null)
    return {
      subject,
      verdict: 'bad',
      text: `${baseUrl} does not respond.`,
      next: 'Check the address, the network and that the service runs.',
    };
  if (health.ok) return { subject, verdict: 'good', text: 'It is ready.', next: null };
  return health.status === 503
    ? {
        subject,
        verdict: 'bad',
        text: 'It runs, but a part that it needs is unavailable.',
        next: `Open ${baseUrl}/health/ready: it names the part and the remedy.`,
      }
    : {
        subject,
        verdict: 'bad',
        text: `${baseUrl}/health/ready returned ${health.status}.`,
        next: 'Check that the address is that of the service, without a path.',
      };
}

function clock(health: Response): Finding {
  const there = Date.parse(health.headers.get('date') ?? '');
  const subject = 'Clock';
  if (Number.isNaN(there))
    return {
      subject,
      verdict: 'warning',
      text: 'The service does not report its time.',
      next: null,
    };
  const skewMs = Date.now() - there;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return Math.abs(skewMs) < MAX_SKEW_MS
    ? { subject, verdict: 'good', text: 'It agrees with that of the service.', next: null }
    : {
        subject,
        verdict: 'bad',
        text: `It is ${seconds} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} that of the service, so signatures of webhooks look too ${skewMs > 0 ? 'old' : 'new'}.`,
        next: 'Synchronize the clock of this computer.',
      };
}

async function versions(baseUrl: string): Promise<Finding> {
  const subject = 'Version';
  const response = await get(`${baseUrl}/openapi.json`);
  const document = (await response?.json().catch(() => null)) as {
    info?: { version?: string };
  } | null;
  const served = document?.info?.version;
  if (served === undefined)
    return {
      subject,
      verdict: 'warning',
      text: `The service does not show its version; this program is made for ${apiVersion}.`,
      next: null,
    };
  return served >= apiVersion
    ? { subject, verdict: 'good', text: `The service has API version ${served}.`, next: null }
    : {
        subject,
        verdict: 'bad',
        text: `The service has API version ${served}, and this program is made for ${apiVersion}.`,
        next: 'Install the program from the repository of the version that the service runs.',
      };
}

async function keyPair(clientId: string, client: Tributary): Promise<Finding> {
  const subject = 'Key pair';
  try {
    const { app, environment, scope } = await client.tokens.introspect();
    return {
      subject,
      verdict: 'good',
      text: `${clientId} is of ${app.name} (${environment}), with ${scope.split(' ').length} scopes.`,
      next: null,
    };
  } catch (error) {
    const { cause, next = null } = explainFailure(error, 'doctor');
    return { subject, verdict: 'bad', text: cause, next };
  }
}

async function verificationKeys(client: Tributary): Promise<Finding> {
  const { keys } = await client.webhooks.listKeys();
  return {
    subject: 'Verification keys',
    verdict: keys.length > 0 ? 'good' : 'bad',
    text: keys.length > 0 ? `${keys.length} published.` : 'None is published.',
    next: keys.length > 0 ? null : 'Ask the operator: `keys list` shows them.',
  };
}
