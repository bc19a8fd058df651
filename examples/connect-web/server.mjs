import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackages } from '../../tools/build-packages.mjs';
import { startSampleApp } from './sample-app.mjs';

// node examples/connect-web/server.mjs
// Finds a service started by `npm start` in DATA_DIR; TRIBUTARY_URL, CLIENT_ID and CLIENT_SECRET name another.
if (!(await buildPackages())) process.exit(1);
const { url } = await startSampleApp({ ...findService(), port: Number(process.env.PORT ?? 4300) });
process.stdout.write(
  `Pocket Ledger, with connect-js:     ${url}\nPocket Ledger, with connect-react:  ${url}/react\n`,
);

function findService() {
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
    const service = JSON.parse(readFileSync(join(DATA_DIR, 'standalone.json'), 'utf8'));
    const { client_id: clientId, client_secret: clientSecret } = service.apps[0].sandbox;
    return {
      apiBaseUrl: service.base_url,
      connectBaseUrl: service.connect_base_url,
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
