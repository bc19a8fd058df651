import type { JWK } from 'jose';
import type { CertificateAuthority } from './certificates/certificate-authority.js';
import type { InstitutionServer } from './institution-server.js';
import { TRIAL_CERTIFICATE_SUBJECT, TRIAL_CLIENT_SECRET, TRIAL_PASSWORD } from './trial-values.js';

/** The values with which an operator tries the banks. All of them end with the process. */
export interface TrialValues {
  institutions: readonly TrialInstitution[];
  password: string;
  /** Private key of the client for `private_key_jwt`. */
  clientKey: JWK;
  /** PEM texts: the authority of the addresses behind mutual TLS, and a client certificate. */
  certificateAuthority: string;
  clientCertificate: string;
  clientCertificateKey: string;
}

export interface TrialInstitution {
  id: string;
  name: string;
  /** The domain of the bank, which identifies the same bank at other vendors. */
  domain: string;
  country: string;
  issuer: string;
  resourceUrl: string;
  clientId: string;
  clientAuthentication: string;
  dpop: boolean;
  /** Null unless the client authenticates by it. */
  clientSecret: string | null;
}

export async function describeTrial(
  institutions: readonly InstitutionServer[],
  certificates: CertificateAuthority,
  clientKey: JWK,
): Promise<TrialValues> {
  const client = await certificates.issueForClient({ subject: TRIAL_CERTIFICATE_SUBJECT });
  return {
    institutions: institutions.map(({ institution, bank, issuer, resourceUrl }) => ({
      id: institution.id,
      name: institution.name,
      domain: bank.domain,
      country: bank.country,
      issuer,
      resourceUrl,
      clientId: institution.clientId,
      clientAuthentication: institution.clientAuthentication,
      dpop: institution.dpop,
      clientSecret:
        institution.clientAuthentication === 'client_secret_basic' ? TRIAL_CLIENT_SECRET : null,
    })),
    password: TRIAL_PASSWORD,
    clientKey,
    certificateAuthority: certificates.certificate,
    clientCertificate: client.certificate,
    clientCertificateKey: client.key,
  };
}
