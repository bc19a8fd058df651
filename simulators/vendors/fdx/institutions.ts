/** Authentication of a client at the token endpoint (OAuth names). */
export type ClientAuthentication = 'private_key_jwt' | 'client_secret_basic' | 'tls_client_auth';

/** One bank of the ledger behind FDX, with an authorization server of its own. */
export interface FdxInstitution {
  /** First segment of every address of the institution. */
  id: string;
  /** The bank of the ledger whose accounts it serves. */
  bankId: string;
  name: string;
  clientId: string;
  clientAuthentication: ClientAuthentication;
  /** RFC 9126. */
  pushedRequests: 'required' | 'optional' | 'none';
  /** RFC 9449: access tokens work only with a key of the client. */
  dpop: boolean;
  /** RFC 9449, 8 and 9: proofs must repeat a number of the server. */
  needsDpopNonce: boolean;
  /** A refresh token works once; its second use ends the whole permission. */
  rotatesRefreshTokens: boolean;
  hasRevocationEndpoint: boolean;
  /** The form of `code` in error bodies: published shapes have numbers, some servers send strings. */
  errorCodes: 'number' | 'text';
  /** The status for an unknown account id; FDX specifies 404. */
  unknownAccountStatus: 404 | 400;
  /** `startTime` and `endTime` as days only; a time of day is refused. */
  takesDaysOnly: boolean;
  /** Maximum rows of one page, whatever `limit` is. */
  maxPageRows: number;
  /** Also lists accounts of the categories that the ledger does not have. */
  hasOtherAccounts: boolean;
}

const STRICT = {
  clientId: 'trial-client',
  clientAuthentication: 'private_key_jwt',
  pushedRequests: 'required',
  dpop: true,
  needsDpopNonce: false,
  rotatesRefreshTokens: true,
  hasRevocationEndpoint: true,
  errorCodes: 'number',
  unknownAccountStatus: 404,
  takesDaysOnly: false,
  maxPageRows: 50,
  hasOtherAccounts: false,
} as const;

/** Banks differ in their requirements and omissions; each difference occurs here once. */
export const FDX_INSTITUTIONS: readonly FdxInstitution[] = [
  { ...STRICT, id: 'first-fdx', bankId: 'harbour', name: 'Harbour Federal Bank' },
  // The bank that every vendor can read, for moving a link from one to another.
  {
    ...STRICT,
    id: 'meridian-fdx',
    bankId: 'meridian',
    name: 'Meridian Bank',
    needsDpopNonce: true,
  },
  {
    ...STRICT,
    id: 'plain-fdx',
    bankId: 'prairie',
    name: 'Prairie Credit Union',
    clientAuthentication: 'client_secret_basic',
    pushedRequests: 'none',
    dpop: false,
    rotatesRefreshTokens: false,
    hasRevocationEndpoint: false,
    errorCodes: 'text',
    unknownAccountStatus: 400,
    takesDaysOnly: true,
    maxPageRows: 25,
  },
  {
    ...STRICT,
    id: 'mtls-fdx',
    bankId: 'meridian',
    name: 'Meridian Bank, partner access',
    clientAuthentication: 'tls_client_auth',
    pushedRequests: 'optional',
    dpop: false,
    rotatesRefreshTokens: false,
  },
  {
    ...STRICT,
    id: 'wealth-fdx',
    bankId: 'harbour',
    name: 'Harbour Wealth',
    clientAuthentication: 'client_secret_basic',
    pushedRequests: 'optional',
    dpop: false,
    hasOtherAccounts: true,
  },
];
