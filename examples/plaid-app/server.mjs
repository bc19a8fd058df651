import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlaidApp } from './plaid-app.mjs';

// node examples/plaid-app/server.mjs
// Finds a service started by `npm start` in DATA_DIR; PLAID_BASE_URL, PLAID_CLIENT_ID and PLAID_SECRET name another.
// WEBHOOK_URL: the address at which that service reaches /webhooks of this app.
const { url } = await startPlaidApp({
  ...findService(),
  port: Number(process.env.PORT ?? 4400),
  webhookUrl: process.env.WEBHOOK_URL,
});
process.stdout.write(`Piggy Bank, made for Plaid: ${url}\n`);

function findService() {
  const {
    PLAID_BASE_URL,
    CONNECT_BASE_URL,
    PLAID_CLIENT_ID,
    PLAID_SECRET,
    DATA_DIR = '.tributary',
  } = process.env;
  if (PLAID_BASE_URL)
    return {
      apiBaseUrl: PLAID_BASE_URL,
      connectBaseUrl: CONNECT_BASE_URL,
      clientId: PLAID_CLIENT_ID,
      secret: PLAID_SECRET,
    };
  try {
    const service = JSON.parse(readFileSync(join(DATA_DIR, 'standalone.json'), 'utf8'));
    const { client_id: clientId, client_secret: secret } = service.apps[0].sandbox;
    return {
      apiBaseUrl: service.base_url,
      connectBaseUrl: service.connect_base_url,
      clientId,
      secret,
    };
  } catch {
    process.stderr.write(
      'No running service was found. Start one with `npm start`, or set PLAID_BASE_URL, PLAID_CLIENT_ID and PLAID_SECRET.\n',
    );
    return process.exit(1);
  }
}
