import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { connectionRemedy } from '../http/transport-failure.js';
import { malformed, RemoteObject } from '../http/remote-object.js';
import type { ConfigurationReport } from '../contract/provider.js';
import { tooSlow } from './client/failure-table.js';
import type { SimplefinClient } from './client/simplefin-client.js';

const MAX_VERSIONS = 100;
const VERSION = /^[\d.]{1,20}$/;
/** Less than a worker's time limit for a check, so that silence is reported as such. */
const SILENCE_MS = 20_000;

/**
 * Checks whether the server of the configuration responds, and its versions. Reads no user's data.
 */
export async function checkServer(
  callServer: SimplefinClient,
  server: string,
  signal: AbortSignal,
): Promise<ConfigurationReport> {
  const what = 'the SimpleFIN server answers';
  const report = { keysRefused: false, credentialsEndAt: null };
  const silence = AbortSignal.timeout(SILENCE_MS);
  try {
    const body = await callServer({
      operation: 'info',
      method: 'GET',
      address: `${server}/info`,
      signal: AbortSignal.any([signal, silence]),
    });
    const detail = `protocol versions: ${versionsOf(body).join(', ') || 'not stated'}`;
    return { ...report, ok: true, lines: [{ what, ok: true, detail, remedy: null }] };
  } catch (error) {
    signal.throwIfAborted();
    const failure = silence.aborted ? tooSlow() : error;
    if (!(failure instanceof ProviderFailure)) throw failure;
    const lines = [{ what, ok: false, detail: failure.message, remedy: remedyFor(failure) }];
    return { ...report, ok: false, lines, unreachable: ['*'] };
  }
}

function remedyFor(error: ProviderFailure): string {
  if (/\(status (401|403)\)$/.test(error.message))
    return 'The address of this machine may not be allowed: ask the operator of the server to allow the public address of the machines with workers.';
  return (
    connectionRemedy(error) ??
    'Check that the worker may reach the server (DNS, firewall) and that --set server= names its address without /create. If both are right, the server itself is down.'
  );
}

function versionsOf(body: string): string[] {
  let info: unknown;
  try {
    info = JSON.parse(body);
  } catch {
    throw malformed('it is not JSON');
  }
  const versions = new RemoteObject(info, 'info').list('versions', MAX_VERSIONS);
  const isVersion = (it: unknown): it is string => typeof it === 'string' && VERSION.test(it);
  return versions.filter(isVersion);
}
