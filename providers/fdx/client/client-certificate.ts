import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { FdxSecrets } from '../settings.js';

/** The certificate that is presented to banks with `mtls`. */
export interface ClientCertificate {
  /** PEM texts. */
  certificate: string;
  key: string;
  endsAt: Date;
}

/**
 * @returns null if none is configured
 * @throws Error, without any content, for texts that are not a certificate with its key
 */
export function readClientCertificate({
  clientCertificate: certificate,
  clientCertificateKey: key,
}: FdxSecrets): ClientCertificate | null {
  if (certificate === undefined && key === undefined) return null;
  if (certificate === undefined || key === undefined)
    throw new Error('clientCertificate and clientCertificateKey belong together: one is missing.');
  const read = parse(certificate, key);
  if (read === null) throw new Error('clientCertificate or its key is not PEM text.');
  if (!read.certificate.checkPrivateKey(read.key))
    throw new Error('clientCertificateKey is not the key of clientCertificate.');
  return { certificate, key, endsAt: new Date(read.certificate.validTo) };
}

function parse(certificate: string, key: string) {
  try {
    return { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
  } catch {
    return null;
  }
}
