import type { JWK } from 'jose';
import type { JWKS } from 'oidc-provider';
import { makeSigningKey } from '../../authorization/authorization-server.js';
import { serveRoutes, type Handler } from '../../http/routes.js';
import { LedgerError } from '../ledger/ledger.js';
import { logLine } from '../log-line.js';
import { startVendorServer } from '../server/start-vendor-server.js';
import type { ClientChanges } from './authorization/client-registry.js';
import { createCertificateAuthority } from './certificates/certificate-authority.js';
import type { FdxBank, FdxBankOptions } from './fdx-bank.types.js';
import { fdxAdminRoutes } from './fdx-admin-routes.js';
import { createInstitutionServer, type InstitutionServer } from './institution-server.js';
import { FDX_INSTITUTIONS } from './institutions.js';
import { describeTrial } from './describe-trial.js';

/** Short, so that clients must renew (FDX: 15 minutes at most). */
const ACCESS_TOKEN_SECONDS = 300;

/** Starts the FDX banks over a ledger: one port for browsers and clients, one behind mutual TLS. */
export async function createFdxBank(options: FdxBankOptions): Promise<FdxBank> {
  const { ledger, host = '127.0.0.1', port = 0 } = options;
  const { accessTokenSeconds = ACCESS_TOKEN_SECONDS } = options;
  const mtlsPort = port === 0 ? 0 : port + 1;
  const certificates = await createCertificateAuthority();
  const clientKey = { ...(await makeSigningKey()), kid: 'trial-client-key' } as JWK;
  const client: ClientChanges = { jwks: publicKeysOf(clientKey), ...options.client };
  let serve: Handler = () => ({ status: 503 });

  const build: Parameters<typeof startVendorServer>[2] = () => ({
    routes: { '* /*': (request) => serve(request) },
    admin: fdxAdminRoutes(() => bank),
  });
  const { key, certificate: cert } = await certificates.issueForServer(host);
  const tls = {
    key,
    cert,
    ca: certificates.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  };
  const secured = await startVendorServer('fdx', { ledger, host, port: mtlsPort, tls }, build);
  const open = await startVendorServer('fdx', { ledger, host, port }, build).catch(
    async (error: unknown) => {
      await secured.close();
      throw error;
    },
  );
  const institutions = await Promise.all(
    FDX_INSTITUTIONS.map((institution) =>
      createInstitutionServer({
        institution,
        ledger,
        url: open.url,
        mtlsUrl: secured.url,
        accessTokenSeconds,
        client,
        onError: (error) =>
          logLine('error', 'vendor_simulator.failed', { vendor: 'fdx', text: String(error) }),
      }),
    ),
  );
  serve = serveRoutes(Object.assign({}, ...institutions.map(({ routes }) => routes)), {
    notFound: { status: 404, text: 'Bank not found.' },
  });
  const trial = await describeTrial(institutions, certificates, clientKey);
  const bank: FdxBank = {
    ...open,
    mtlsUrl: secured.url,
    institutions,
    certificates,
    trial,
    registerClient(changes, institutionId) {
      const meant = institutionId === undefined ? institutions : [find(institutionId)];
      for (const { clients } of meant) clients.change(changes);
    },
    endAccessTokens: () => institutions.forEach(({ storage }) => storage.endAccessTokens()),
    loseTokenResponses: (institutionId, times) => find(institutionId).loseTokenResponses(times),
    close: async () => void (await Promise.all([open.close(), secured.close()])),
  };
  return bank;

  function find(institutionId: string): InstitutionServer {
    const found = institutions.find(({ institution }) => institution.id === institutionId);
    if (found === undefined) throw new LedgerError(`There is no institution ${institutionId}.`);
    return found;
  }
}

function publicKeysOf({ d: _private, ...key }: JWK): JWKS {
  return { keys: [key] } as JWKS;
}
