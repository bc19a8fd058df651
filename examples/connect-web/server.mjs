import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages } from '../../tools/build-packages.mjs';
import { ADD_A_SOURCE, commandToOffer } from './readiness.mjs';

const USAGE = `npm run sample-app -- [--pair sandbox|live] [--user ID]

  --pair   the key pair of a running service (\`npm start\`) to use: sandbox banks, the default, or real ones
  --user   the user of every browser, whose links are there again after a restart: by default "me" with --pair live,
           otherwise each browser is a new user

Another service: TRIBUTARY_URL, CLIENT_ID and CLIENT_SECRET name it and its key pair.
`;

const { pair, user = pair === 'live' ? 'me' : undefined } = readOptions();
const service = findService(pair);
if (!(await buildPackages())) process.exit(1);
// The packages are there only now.
const { startSampleApp } = await import('./sample-app.mjs');
const { BankLinks } = await import('./bank-links.mjs');
const bankLinks = new BankLinks(service);
const { url } = await startSampleApp({
  ...service,
  port: Number(process.env.PORT ?? 4300),
  ...(user === undefined ? {} : { user: { id: user, links: await bankLinks.linksOf(user) } }),
});
process.stdout.write(
  `Pocket Ledger, with connect-js:     ${url}\nPocket Ledger, with connect-react:  ${url}/react\n`,
);
const countries = await bankLinks.countries().catch((error) => {
  // The page says so, too, and works once the service is there.
  process.stderr.write(`\nTributary does not respond at ${service.apiBaseUrl}: ${error.message}\n`);
});
if (countries?.length === 0)
  process.stdout.write(
    `\nThe service offers no bank to this key pair yet. To add one:\n  ${ADD_A_SOURCE}\n`,
  );
else if (countries?.includes('US') === false)
  process.stdout.write(
    `\nThe service has banks in ${countries.join(', ')}. Connect offers those of the app's country, US unless it was changed, for example by:\n  ${commandToOffer((await bankLinks.app()).id, countries[0])}\n`,
  );

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { pair: { type: 'string', default: 'sandbox' }, user: { type: 'string' } },
    });
    if (values.pair === 'sandbox' || values.pair === 'live') return values;
  } catch {
    // The usage names the options.
  }
  process.stderr.write(USAGE);
  return process.exit(1);
}

function findService(environment) {
  const {
    TRIBUTARY_URL,
    CONNECT_BASE_URL,
    CLIENT_ID,
    CLIENT_SECRET,
    DATA_DIR = '.tributary',
  } = process.env;
  if (TRIBUTARY_URL)
    return {
      apiBaseUrl: TRIBUTARY_URL,
      connectBaseUrl: CONNECT_BASE_URL,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    };
  try {
    const running = JSON.parse(readFileSync(join(DATA_DIR, 'standalone.json'), 'utf8'));
    const { client_id: clientId, client_secret: clientSecret } = running.apps[0][environment];
    return {
      apiBaseUrl: running.base_url,
      connectBaseUrl: running.connect_base_url,
      clientId,
      clientSecret,
    };
  } catch {
    process.stderr.write(
      'No running service was found. Start one with `npm start`, or set TRIBUTARY_URL, CLIENT_ID and CLIENT_SECRET.\n',
    );
    return process.exit(1);
  }
}
