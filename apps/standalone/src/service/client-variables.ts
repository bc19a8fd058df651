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
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');
}
