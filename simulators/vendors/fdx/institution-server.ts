import { TLSSocket } from 'node:tls';
import { serveOAuth } from '../../authorization/authorization-server.js';
import { serveSignIn } from '../../authorization/sign-in-desk.js';
import type { Routes } from '../../http/routes.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Bank } from '../ledger/ledger.types.js';
import { createAuthorizationServer } from './authorization/authorization-server.js';
import {
  createClientRegistry,
  type ClientChanges,
  type ClientRegistry,
} from './authorization/client-registry.js';
import { createConsents } from './authorization/consents.js';
import { createGrantStorage, type GrantStorage } from './authorization/grant-storage.js';
import { createSignInDesk } from './authorization/sign-in-desk.js';
import { createTokenEndpoint } from './authorization/token-endpoint.js';
import type { FdxInstitution } from './institutions.js';
import { createAccessCheck, type Access } from './resources/access.js';
import { FdxError } from './resources/fdx-error.js';
import type { HeldAccount } from './resources/held-account.js';
import { ledgerAccounts } from './resources/ledger-accounts.js';
import { otherAccounts } from './resources/other-accounts.js';
import { createResourceServer } from './resources/resource-server.js';
import { fdxResources } from './resources/resources.js';

export interface InstitutionServerParts {
  institution: FdxInstitution;
  ledger: Ledger;
  /** The address for browsers and clients without a certificate. */
  url: string;
  /** The address for clients with a certificate. */
  mtlsUrl: string;
  accessTokenSeconds: number;
  client: ClientChanges;
  onError: (error: unknown) => void;
}

/** The authorization server and the resource server of one institution. */
export interface InstitutionServer {
  institution: FdxInstitution;
  bank: Bank;
  issuer: string;
  /** Base address of the FDX calls. */
  resourceUrl: string;
  clients: ClientRegistry;
  storage: GrantStorage;
  /** Carries out the next token requests and loses the responses, as when a connection breaks. */
  loseTokenResponses(times: number): void;
  routes: Routes;
}

export async function createInstitutionServer(
  parts: InstitutionServerParts,
): Promise<InstitutionServer> {
  const { institution, ledger, url, mtlsUrl, onError } = parts;
  const base = `/${institution.id}`;
  const isMtls = institution.clientAuthentication === 'tls_client_auth';
  const scheme = institution.dpop ? 'DPoP' : 'Bearer';
  const clients = createClientRegistry(institution, parts.client);
  const storage = createGrantStorage(clients.find);
  const consents = createConsents((customerId) => ledger.consentNumber('fdx', customerId));
  let startedAt = ledger.now();
  ledger.onReset(() => {
    storage.clear();
    consents.clear();
    startedAt = ledger.now();
  });
  const server = await createAuthorizationServer({
    institution,
    issuer: `${url}${base}`,
    mtlsUrl: isMtls ? mtlsUrl : null,
    accessTokenSeconds: parts.accessTokenSeconds,
    storage,
    isLive: (grantId) => consents.find(grantId) !== null,
    onError,
  });
  const tokens = createTokenEndpoint((request) => serveOAuth(server, request));

  const heldBy = (customerId: string): HeldAccount[] => [
    ...ledgerAccounts(ledger, institution.bankId, customerId),
    ...(institution.hasOtherAccounts
      ? otherAccounts(customerId, { now: ledger.now(), startedAt })
      : []),
  ];
  const accountsOf = ({ customerId, accountIds }: Access): HeldAccount[] =>
    heldBy(customerId).filter(({ id }) => accountIds.includes(id));
  const desk = createSignInDesk({
    bankName: institution.name,
    consents,
    accountsOf: (userName) => (isCustomer(ledger, userName) ? heldBy(userName) : null),
  });
  const resources = createResourceServer(
    {
      resources: fdxResources(institution, ledger, accountsOf),
      scheme,
      errorCodes: institution.errorCodes,
      unknownAccountStatus: institution.unknownAccountStatus,
      checkAccess: createAccessCheck({
        server,
        consents,
        scheme,
        needsDpopNonce: institution.needsDpopNonce,
      }),
      checkService: (customerId) => checkService(ledger, institution.bankId, customerId),
      accountsOf,
      originOf: ({ socket }) => (socket instanceof TLSSocket ? mtlsUrl : url),
      onError,
    },
    `${base}/fdx/v6`,
  );

  return {
    institution,
    bank: ledger.bank(institution.bankId),
    issuer: server.issuer,
    resourceUrl: `${isMtls ? mtlsUrl : url}${base}/fdx/v6`,
    clients,
    storage,
    loseTokenResponses: tokens.loseResponses,
    routes: {
      [`* ${base}/fdx/v6/*`]: resources,
      [`* ${base}/sign-in/{uid}`]: (request) => serveSignIn(server, request, desk),
      [`* ${base}/token`]: tokens.serve,
      [`* ${base}{/*}?`]: (request) => serveOAuth(server, request),
    },
  };
}

const isCustomer = ({ data }: Ledger, id: string): boolean =>
  data.customers.some((customer) => customer.id === id);

/** Orders of scripts for the whole bank. */
function checkService(ledger: Ledger, bankId: string, customerId: string): void {
  if (ledger.bank(bankId).isDown) throw new FdxError(503);
  const until = ledger.quotaExhaustedUntil('fdx', customerId);
  if (until === null) return;
  const seconds = Math.ceil((until.getTime() - ledger.now().getTime()) / 1_000);
  throw new FdxError(1207, { 'retry-after': String(seconds) });
}
