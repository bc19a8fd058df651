import type { VendorServer, VendorServerOptions } from '../server/start-vendor-server.js';
import type { ClientChanges } from './authorization/client-registry.js';
import type { CertificateAuthority } from './certificates/certificate-authority.js';
import type { TrialValues } from './describe-trial.js';
import type { InstitutionServer } from './institution-server.js';

export interface FdxBankOptions extends Omit<VendorServerOptions, 'tls'> {
  accessTokenSeconds?: number;
  /** Replaces the trial values: the return addresses of the client, and its public keys. */
  client?: ClientChanges;
}

/** Several banks that speak FDX 6, each with an authorization server of its own. */
export interface FdxBank extends VendorServer {
  mtlsUrl: string;
  institutions: readonly InstitutionServer[];
  certificates: CertificateAuthority;
  /** Addresses, client ids and secrets, for an operator to type. */
  trial: TrialValues;
  /**
   * Changes the registration of the client at one institution, or at all.
   * @throws LedgerError for an institution that does not exist
   */
  registerClient(changes: ClientChanges, institutionId?: string): void;
  /** Ends every access token, so that the next call must renew. */
  endAccessTokens(): void;
  /**
   * Carries out the next token requests of an institution and loses the responses.
   * @throws LedgerError for an institution that does not exist
   */
  loseTokenResponses(institutionId: string, times: number): void;
}
