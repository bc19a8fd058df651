/**
 * Simulators admit every caller and change any data on request, so the images of the service, which
 * set NODE_ENV=production and do not contain this app, must never run them.
 * @throws Error where NODE_ENV is production
 */
export function refuseInProduction(env: Readonly<Record<string, string | undefined>>): void {
  if (env['NODE_ENV'] === 'production') {
    throw new Error(
      'The vendor simulators are for tests and demos: they do not start in production.',
    );
  }
}
