/** The command of the service's operator that adds a source of real banks; SimpleFIN needs no contract. */
export const ADD_A_SOURCE =
  'npm run -s operator -- providers add simplefin && npm run -s operator -- institutions sync simplefin';

/**
 * The command of the service's operator that makes an app offer the banks of another country. Without it they are those
 * of the United States.
 * @param {string} appId
 * @param {string} country
 */
export function commandToOffer(appId, country) {
  return `npm run -s operator -- apps update ${appId} --country ${country}`;
}

/**
 * The command of the service's operator that lets pages at `origin` link for an app. In Sandbox an app without lists
 * needs none.
 * @param {string} appId
 * @param {string} origin scheme://host[:port]
 */
export function commandToAllow(appId, origin) {
  return `npm run -s operator -- apps update ${appId} --page-origin ${origin} --redirect-origin ${origin}`;
}
