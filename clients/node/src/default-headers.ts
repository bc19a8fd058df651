import { ConfigurationError } from './errors.js';

export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(text);

/** Headers on which the promises of the client rest, and those of the connection. */
const OWN_HEADERS = [
  'authorization',
  'idempotency-key',
  'content-type',
  'content-length',
  'transfer-encoding',
  'host',
  'accept-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
];

/** The headers of an app, with names in lower case. */
export function readHeaders(
  headers: Readonly<Record<string, string>> = {},
  prefix: string,
): Record<string, string> {
  if (typeof headers !== 'object' || headers === null)
    throw new ConfigurationError('headers must be an object of names and texts.');
  return Object.fromEntries(
    Object.entries(headers).map(([given, value]: [string, unknown]) => {
      const name = given.toLowerCase();
      if (!isHeaderName(name))
        throw new ConfigurationError('headers has a name that is not one of a header.');
      if (typeof value !== 'string' || !/^[\x20-\x7e]*$/.test(value))
        throw new ConfigurationError(`The value of the header ${name} must be ASCII text.`);
      if (OWN_HEADERS.includes(name) || name.startsWith(`${prefix.toLowerCase()}-`))
        throw new ConfigurationError(`The client sends the header ${name} itself.`);
      return [name, value];
    }),
  );
}
