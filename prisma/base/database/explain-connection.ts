const NO_POOLER =
  'Time-outs, notifications and session locks belong to a connection, and a pooler between a process and PostgreSQL drops them: set DATABASE_URL to the address of PostgreSQL itself (docs/operating/postgresql.md).';

/** A proxy or pooler accepted the connection but dropped its requested parameters. */
export class DroppedSettings extends Error {
  override readonly name = 'DroppedSettings';
  readonly code = 'DROPPED_SETTINGS';

  constructor() {
    super(`The connection has not the time-outs that it was opened with. ${NO_POOLER}`);
  }
}

/**
 * The server cannot be used with the settings in DATABASE_URL. The message is one line, without any
 * part of the address.
 */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
  readonly code = 'CONNECTION_REFUSED_BY_SETTINGS';
}

/**
 * The meaning of texts from the driver, OpenSSL and the server, for the operator. In order: the
 * first match counts.
 */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/unsupported startup parameter/, `A pooler refuses the connection. ${NO_POOLER}`],
  [
    /does not match certificate's altnames/,
    'The certificate of the PostgreSQL server is for another name: use one of its names in DATABASE_URL, or issue one for the name in DATABASE_URL.',
  ],
  [
    /certificate has expired|certificate expired/,
    'A certificate between this process and the PostgreSQL server has expired: check those of the server, of its CA (sslrootcert) and of the client (sslcert).',
  ],
  [
    /requires a valid client certificate|certificate required|tlsv13 alert certificate required/i,
    'The PostgreSQL server requires a client certificate: name it and its key with sslcert and sslkey in DATABASE_URL.',
  ],
  [
    /alert (unknown ca|bad certificate|unsupported certificate|decrypt error)/i,
    'The PostgreSQL server does not trust the client certificate that sslcert in DATABASE_URL names: use one of the CA in its ssl_ca_file.',
  ],
  [
    /certificate authentication failed/,
    'The client certificate that sslcert in DATABASE_URL names is not for this user: its common name must be the name of the user.',
  ],
  [
    /does not support SSL connections/,
    'The PostgreSQL server has no TLS (ssl=off), which sslmode in DATABASE_URL requires.',
  ],
  [
    /^(?=.*no pg_hba\.conf entry ).*no encryption/s,
    'The PostgreSQL server requires TLS: add sslmode=verify-full to DATABASE_URL, and sslrootcert where its CA is not a public one.',
  ],
];

const UNTRUSTED =
  /unable to (verify the first|get (local )?issuer) certificate|self[- ]signed certificate|certificate signature failure/;

/**
 * Describes a connection failure that results from settings in one line with the remedy.
 *
 * @returns the error itself where there is nothing to add
 */
export function explainConnection(error: Error, sslmode: string | null): Error {
  if (UNTRUSTED.test(error.message))
    return new ConnectionRefused(untrusted(sslmode), { cause: error });
  const known = REASONS.find(([shape]) => shape.test(error.message));
  return known === undefined ? error : new ConnectionRefused(known[1], { cause: error });
}

function untrusted(sslmode: string | null): string {
  const named =
    'The certificate of the PostgreSQL server is signed by a CA that is not trusted: name the certificate of that CA with sslrootcert in DATABASE_URL';
  if (sslmode === null || sslmode === 'verify-full') return `${named}.`;
  return `${named}, and write sslmode=verify-full. In this service sslmode=${sslmode} checks certificate and name as verify-full does; sslmode=no-verify encrypts without checking who the server is.`;
}

/**
 * The address with `verify-full` instead of the modes that the driver treats the same, and warns
 * about on stderr.
 *
 * @returns also the mode as it was written; null = none
 */
export function readSslMode(url: string): { url: string; sslmode: string | null } {
  const sslmode = /[?&]sslmode=([a-z-]+)/.exec(url)?.[1] ?? null;
  if (sslmode === null || /[?&]uselibpqcompat=/.test(url)) return { url, sslmode };
  return {
    url: url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full'),
    sslmode,
  };
}
