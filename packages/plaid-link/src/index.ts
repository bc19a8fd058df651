import { install } from './install.js';

/** `{connect_base}/plaid/link-initialize.js` */
const DEPTH = '..';

const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement && currentScript.src !== '')
  install(new URL(DEPTH, currentScript.src).href);
else
  console.error(
    'Plaid: load this script by a plain script tag with its src, before the application.',
  );
