import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../../simulators/vendors/fdx/certificates/certificate-authority.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { COFFEE, request as imported } from '../links/support/import-requests.js';
import { ActualServer } from './actual/actual-server.js';
import { createToken } from './support/finance-app.js';

const USER = 'user-over-tls';
/** Older versions of Actual connect to no other port. */
const PORT = 443;

/** The reason why this process cannot listen on the port, or nothing. */
async function cannotListen(): Promise<string | undefined> {
  const server = createServer();
  try {
    await once(server.listen(PORT, '127.0.0.1'), 'listening');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    server.close();
  }
}

const missing = await cannotListen();
(missing === undefined ? describe : describe.skip)(
  `Actual Budget, over TLS on port ${PORT} with a certificate of a local authority${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let folder: string;
    let service: ApiInProcess;
    let proxy: Server;
    let actual: ActualServer;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tributary-tls-'));
      const authority = await createCertificateAuthority();
      writeFileSync(join(folder, 'ca.pem'), authority.certificate);
      service = await startApiInProcess({ BASE_URL: 'https://localhost' });
      const { key, certificate: cert } = await authority.issueForServer('localhost');
      proxy = createServer({ key, cert }, (incoming, response) => {
        const { method, url, headers } = incoming;
        const forwarded = request(new URL(url ?? '/', service.api.baseUrl), { method, headers });
        forwarded.once('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        forwarded.once('error', () => response.destroy());
        incoming.pipe(forwarded);
      });
      await once(proxy.listen(PORT, '127.0.0.1'), 'listening');
      actual = await ActualServer.start({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
    }, 300_000);
    afterAll(async () => {
      await actual?.stop();
      proxy?.closeAllConnections();
      proxy?.close();
      await service?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('claims a setup token, and reads accounts and rows', async () => {
      const token = await service.token('pocket-ledger');
      await service.api.as(token).post('/links/import', {
        json: imported({ customer_user: { id: USER }, transactions: [COFFEE] }),
      });
      const { setup_token: setupToken } = await createToken(service, token, USER);
      expect(Buffer.from(setupToken, 'base64').toString()).toMatch(
        /^https:\/\/localhost\/simplefin/,
      );
      await actual.pasteSetupToken(setupToken);
      const listed = await actual.accounts();
      if ('error_type' in listed) throw new Error(`Actual shows ${listed.error_type}`);
      const account = listed.accounts.find(({ balance }) => balance === '2350.10');
      expect(account).toMatchObject({ currency: 'USD' });
      const id = account?.id ?? '';
      const { [id]: rows } = await actual.rows([id], '2026-01-01');
      expect(rows?.transactions.all.map(({ transactionAmount: { amount } }) => amount)).toEqual([
        '-4.50',
      ]);
    });
  },
);
