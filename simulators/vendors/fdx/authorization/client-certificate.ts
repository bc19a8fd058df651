import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** The certificate that the client showed in the TLS handshake, whether trusted or not. */
export function clientCertificateOf({ socket }: IncomingMessage): X509Certificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const raw = socket.getPeerCertificate().raw as Buffer | undefined;
  return raw === undefined ? undefined : new X509Certificate(raw);
}

/** True for a certificate of the simulator's own authority that is valid now. */
export const isTrusted = ({ socket }: IncomingMessage): boolean =>
  socket instanceof TLSSocket && socket.authorized;

/** The subject in the form of RFC 4514. Node lists the parts line by line, the first one first. */
export const subjectOf = ({ subject }: X509Certificate): string => subject.split('\n').join(',');

/** `x5t#S256` of RFC 8705, 3.1. */
export const thumbprintOf = ({ raw }: X509Certificate): string =>
  createHash('sha256').update(raw).digest('base64url');

/** The reason that a certificate does not authenticate the client, in words of the bank. */
export function refusalOf(request: IncomingMessage): string {
  const { socket } = request;
  if (clientCertificateOf(request) === undefined) return 'no client certificate was shown';
  if (isTrusted(request)) return 'the subject of the client certificate is not registered';
  // Node's types declare Error; it is the code of OpenSSL.
  const code = socket instanceof TLSSocket ? String(socket.authorizationError) : '';
  return `the client certificate is not accepted: ${code}`;
}
