import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createCertificateAuthority,
  type KeyAndCertificate,
} from '../../../simulators/vendors/fdx/certificates/certificate-authority.js';

/** Files of PEM texts. */
export interface Certificates {
  ca: string;
  /** A CA that signed none of them. */
  foreignCa: string;
  server: KeyFiles;
  client: KeyFiles;
  /** Signed by the foreign CA. */
  foreignClient: KeyFiles;
}

export interface KeyFiles {
  certificate: string;
  key: string;
}

/** The name in the certificate of the servers, beside 127.0.0.1. */
export const SERVER_NAME = 'cluster.internal';

/** A CA of the cluster's own, with a certificate for its servers and one for their clients. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const file = (name: string, contents: string) => {
    const path = join(folder, name);
    writeFileSync(path, contents);
    return path;
  };
  const [ca, foreign] = [await createCertificateAuthority(), await createCertificateAuthority()];
  const files = (name: string, { certificate, key }: KeyAndCertificate): KeyFiles => ({
    certificate: file(`${name}.pem`, certificate),
    key: file(`${name}.key`, key),
  });
  const subject = 'CN=tributary';
  return {
    ca: file('ca.pem', ca.certificate),
    foreignCa: file('foreign-ca.pem', foreign.certificate),
    server: files('server', await ca.issueForServer(SERVER_NAME)),
    client: files('client', await ca.issueForClient({ subject })),
    foreignClient: files('foreign-client', await foreign.issueForClient({ subject })),
  };
}
