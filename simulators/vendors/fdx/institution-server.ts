import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { send } from '../http/reply.js';
import { targetOf } from '../http/simulator-request.js';
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
import { mountOAuth } from './authorization/mount-oauth.js';
import { createSignInHandler } from './authorization/sign-in-handler.js';
import type { FdxInstitution } from './institutions.js';
import { problemPage } from './pages/problem-page.js';
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
  serve(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
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
  ledger.onReset(() => {
    storage.clear();
    consents.clear();
  });
  const server = await createAuthorizationServer({
    institution,
    issuer: `${url}${base}`,
    mtlsUrl: isMtls ? mtlsUrl : null,
    accessTokenSeconds: parts.accessTokenSeconds,
    storage,
    isLive: (grantId) => consents.find(grantId) !== null,
    onError,
    renderProblem: problemPage,
  });
  const oauth = mountOAuth(server, base);

  const heldBy = (customerId: string): HeldAccount[] => [
    ...ledgerAccounts(ledger, institution.bankId, customerId),
    ...(institution.hasOtherAccounts ? otherAccounts(customerId) : []),
  ];
  const accountsOf = ({ customerId, accountIds }: Access): HeldAccount[] =>
    heldBy(customerId).filter(({ id }) => accountIds.includes(id));
  const signIn = createSignInHandler({
    server,
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
    loseTokenResponses: oauth.loseTokenResponses,
    async serve(incoming, response) {
      const { pathname } = targetOf(incoming);
      if (pathname.startsWith(`${base}/fdx/v6/`)) send(response, await resources(incoming));
      else if (pathname.startsWith(`${base}/sign-in/`))
        send(response, await signIn(incoming, response));
      else await oauth.serve(incoming, response);
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
