/** The command of the service's operator that adds a source of real banks; SimpleFIN needs no contract. */
export const ADD_A_SOURCE =
  'npm run -s cli -- providers add simplefin && npm run -s cli -- institutions sync simplefin';

/**
 * The command of the service's operator that lets pages at `origin` link for this app. In Sandbox an app without lists
 * needs none.
 * @param {import('./tributary.mjs').Tributary} tributary
 * @param {string} origin scheme://host[:port]
 */
export async function commandToAllow(tributary, origin) {
  const { app } = await tributary.call('GET', '/auth/introspect');
  return `npm run -s cli -- apps update ${app.app_id} --page-origin ${origin} --redirect-origin ${origin}`;
}

/** @param {import('./tributary.mjs').Tributary} tributary */
export async function offersBanks(tributary) {
  const { institutions } = await tributary.call('GET', '/institutions?limit=1');
  return institutions.length > 0;
}
