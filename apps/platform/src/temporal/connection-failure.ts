/**
 * The meaning of the texts of both clients, one on OpenSSL and one on rustls, which names errors of the
 * system with and without spaces. In order: the first match counts.
 */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /UNAUTHENTICATED|PERMISSION_DENIED|Unauthenticated|PermissionDenied|unauthorized/,
    'it refuses the API key in TEMPORAL_API_KEY or TEMPORAL_API_KEY_FILE',
  ],
  [
    /altnames|NotValidForName|not valid for name/i,
    'its certificate is for another name: set TEMPORAL_TLS_SERVER_NAME to a name in it',
  ],
  [/certificate has expired|CertExpired|certificate expired/i, 'a certificate has expired'],
  [
    /CertificateRequired|certificate required|bad certificate|BadCertificate|alert number (42|116)|UnknownCA|unknown ca|DecryptError/i,
    'it requires a client certificate that it trusts: TEMPORAL_TLS_CLIENT_CERT_PATH',
  ],
  [
    /unable to (verify|get)|self-signed|UnknownIssuer|certificate signature failure|BadSignature/i,
    'its certificate is signed by a CA that is not trusted: set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of that CA',
  ],
  [
    /wrong version number|packet length too long|InvalidContentType|corrupt message/i,
    'it does not speak TLS, which TEMPORAL_TLS, a certificate or an API key turns on',
  ],
  [
    /ECONNREFUSED|Connection ?refused|ENOTFOUND|EAI_AGAIN|failed to lookup|EHOSTUNREACH/i,
    'no server listens at TEMPORAL_ADDRESS',
  ],
  [
    /Connection dropped|socket hang up|ECONNRESET|EPIPE|broken ?pipe|connection ?(reset|aborted|closed)|unexpected ?eof|frame with invalid size|Failed to connect|Protocol error|h2 protocol/i,
    'it ended the connection: it may require TLS (TEMPORAL_TLS=true) or a client certificate that it trusts (TEMPORAL_TLS_CLIENT_CERT_PATH)',
  ],
];
const MAX_DEPTH = 10;

/** The reason that the server at an address cannot be used, in one line for a log or a terminal. */
export function explainConnectionFailure(error: unknown): string {
  const texts = textsOf(error);
  const known = REASONS.find(([pattern]) => texts.some((text) => pattern.test(text)));
  return known?.[1] ?? texts[0]?.split('\n')[0] ?? 'the reason is unknown';
}

function textsOf(error: unknown): string[] {
  const texts: string[] = [];
  let link: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && link instanceof Error; depth += 1) {
    const { details } = link as { details?: unknown };
    texts.push(link.message, ...(typeof details === 'string' ? [details] : []));
    link = link.cause;
  }
  return texts;
}
