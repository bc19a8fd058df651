import type { StandaloneDescription } from './description.js';

/**
 * `sandbox.env` and `live.env`: the address of the service and a key pair as variables, for `.` of a shell and
 * `node --env-file`.
 */
export function clientVariables(
  { base_url: baseUrl, apps: [app] }: Pick<StandaloneDescription, 'base_url' | 'apps'>,
  environment: 'sandbox' | 'live',
): string {
  const variables = {
    TRIBUTARY_URL: baseUrl,
    CLIENT_ID: app?.[environment].client_id ?? '',
    CLIENT_SECRET: app?.[environment].client_secret ?? '',
    // A demo for phones: clients refuse plain http beyond this machine unless it is asked for.
    ...(isPlainHttp(new URL(baseUrl)) ? { TRIBUTARY_ALLOW_HTTP: '1' } : {}),
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');
}

const isPlainHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && hostname !== '127.0.0.1' && hostname !== 'localhost';
