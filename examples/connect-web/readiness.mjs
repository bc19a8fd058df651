/** Commands find a standalone service by its data folder. */
const { DATA_DIR } = process.env;
const OPERATOR = `${DATA_DIR ? `DATA_DIR=${shellWord(DATA_DIR)} ` : ''}npm run -s operator --`;

/** @param {string} text */
function shellWord(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command of the service's operator that adds a source of real banks; SimpleFIN needs no contract. */
export const ADD_A_SOURCE = `${OPERATOR} providers add simplefin && ${OPERATOR} institutions sync simplefin`;

/**
 * The command of the service's operator that makes an app offer the banks of another country. Without it they are those
 * of the United States.
 * @param {string} appId
 * @param {string} country
 */
export function commandToOffer(appId, country) {
  return `${OPERATOR} apps update ${appId} --country ${country}`;
}

/**
 * The command of the service's operator that lets pages at `origin` link for an app. In Sandbox an app without lists
 * needs none.
 * @param {string} appId
 * @param {string} origin scheme://host[:port]
 */
export function commandToAllow(appId, origin) {
  return `${OPERATOR} apps update ${appId} --page-origin ${origin} --redirect-origin ${origin}`;
}
