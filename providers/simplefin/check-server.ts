import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { malformed, RemoteObject } from '../http/remote-object.js';
import type { ConfigurationReport } from '../provider.js';
import type { SimplefinClient } from './client/simplefin-client.js';

const MAX_VERSIONS = 100;

/** Whether the server of the configuration answers, and in which versions. Reads no one's data. */
export async function checkServer(
  callServer: SimplefinClient,
  server: string,
  signal: AbortSignal,
): Promise<ConfigurationReport> {
  const what = 'the SimpleFIN server answers';
  const report = { keysRefused: false, credentialsEndAt: null };
  try {
    const body = await callServer({
      operation: 'info',
      method: 'GET',
      address: `${server}/info`,
      signal,
    });
    const detail = `protocol versions: ${versionsOf(body).join(', ')}`;
    return { ...report, ok: true, lines: [{ what, ok: true, detail, remedy: null }] };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const remedy =
      'Check that the worker may reach the server (DNS, firewall) and that --set server= names its address without /create. If both are right, the server itself is down.';
    return { ...report, ok: false, lines: [{ what, ok: false, detail: error.message, remedy }] };
  }
}

function versionsOf(body: string): string[] {
  let info: unknown;
  try {
    info = JSON.parse(body);
  } catch {
    throw malformed('it is not JSON');
  }
  const versions = new RemoteObject(info, 'info').textList('versions', {
    count: MAX_VERSIONS,
    max: 20,
  });
  return versions.filter((version) => /^[\d.]+$/.test(version));
}
