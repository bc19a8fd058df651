import { isHeaderName, readHeaders } from './default-headers.js';
import { ConfigurationError } from './errors.js';
import type { Environment } from './generated/types.js';
import { parserOf, type MoneyForm } from './money.js';
import type { Attempt } from './requests/attempt.js';
import type { CallOptions } from './requests/api-request.js';
import type { ParseJson } from './requests/read-response.js';

/** Options of `new Tributary(…)`. What is missing is read from the environment where a variable is named. */
export interface TributaryOptions<Money extends MoneyForm = MoneyForm> {
  /** Address of the service, its `BASE_URL`. Else `TRIBUTARY_URL`. */
  baseUrl?: string | undefined;
  /**
   * Calls a service at an `http` address that is not of this machine, such as one in a private network:
   * the key pair and bank data are sent readable. Else `TRIBUTARY_ALLOW_HTTP=1`.
   */
  allowHttp?: boolean | undefined;
  /** Key pair of the app. Else `CLIENT_ID` and `CLIENT_SECRET`. A receiver of webhooks needs none. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Scopes to which the access token is limited; by default it has all of the key pair. */
  scopes?: readonly string[] | undefined;
  /** App whose webhooks are accepted; by default those of every app of the service. Else `TRIBUTARY_APP_ID`. */
  appId?: string | undefined;
  /**
   * Environment whose webhooks are accepted; by default that of the key pair. A key pair of the other
   * one is refused. Else `TRIBUTARY_ENVIRONMENT`.
   */
  environment?: Environment | undefined;
  /** First word of the header names, if the operator changed `HEADER_PREFIX`. */
  headerPrefix?: string | undefined;
  /** Milliseconds for each attempt of a call, from sending to the last byte; 30,000 by default. */
  timeout?: number | undefined;
  /** Further attempts of a call that may be repeated; 2 by default. */
  maxRetries?: number | undefined;
  /** Headers that each request has, besides those of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Called after each request, for logs and metrics. An error that it throws is logged. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /**
   * `text`: amounts and balances are the text of the wire, such as '1234.50', for a decimal library.
   * `number` by default.
   */
  money?: Money | undefined;
  /** Sends the requests: for proxies and tests. */
  fetch?: Fetch | undefined;
}

export type Fetch = (address: string, request: RequestInit) => Promise<Response>;

export interface KeyPair {
  clientId: string;
  clientSecret: string;
  scopes: readonly string[] | undefined;
}

/** The checked options. */
export interface ClientSettings {
  baseUrl: string;
  keyPair: KeyPair | undefined;
  appId: string | undefined;
  environment: Environment | undefined;
  headerPrefix: string;
  timeout: number;
  maxRetries: number;
  /** Their names are in lower case. */
  headers: Readonly<Record<string, string>>;
  onAttempt: ((attempt: Attempt) => void) | undefined;
  parse: ParseJson;
  fetch: Fetch;
}

const ENVIRONMENTS: readonly unknown[] = ['sandbox', 'live'] satisfies Environment[];

/** @throws ConfigurationError that names the wrong option, never the value of a secret */
export function readOptions(options: TributaryOptions): ClientSettings {
  checkTexts(options);
  const keyPair = readKeyPair(options);
  const { headerPrefix = 'service', onAttempt, fetch: send } = options;
  if (!isHeaderName(headerPrefix))
    throw new ConfigurationError('headerPrefix must be the first word of a header name.');
  for (const [name, value] of Object.entries({ onAttempt, fetch: send }))
    if (value !== undefined && typeof value !== 'function')
      throw new ConfigurationError(`${name} must be a function.`);
  return {
    baseUrl: readBaseUrl(
      options.baseUrl ?? variable('TRIBUTARY_URL'),
      options.allowHttp ?? variable('TRIBUTARY_ALLOW_HTTP') === '1',
    ),
    keyPair,
    appId: options.appId ?? variable('TRIBUTARY_APP_ID'),
    environment: readEnvironment(options, keyPair),
    headerPrefix,
    ...checkedLimits(options, { timeout: 30_000, maxRetries: 2 }),
    headers: readHeaders(options.headers, headerPrefix),
    onAttempt: onAttempt && ((attempt) => callHook(onAttempt, attempt)),
    parse: parserOf(options.money),
    fetch: send ?? ((address, request) => fetch(address, request)),
  };
}

/** The longest time of a timer; it ends at once after a longer one. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** The limits of a client or of one call. */
export function checkedLimits(
  { timeout, maxRetries, signal }: CallOptions,
  otherwise: Pick<ClientSettings, 'timeout' | 'maxRetries'>,
): Pick<ClientSettings, 'timeout' | 'maxRetries'> {
  // By its parts: a test environment or a polyfill has a class of its own.
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw new ConfigurationError('signal must be an AbortSignal.');
  return {
    timeout: readNumber('timeout', timeout ?? otherwise.timeout, 1, MAX_TIMEOUT_MS),
    maxRetries: readNumber('maxRetries', maxRetries ?? otherwise.maxRetries, 0),
  };
}

function callHook(hook: (attempt: Attempt) => void, attempt: Attempt): void {
  try {
    hook(attempt);
  } catch (error) {
    console.error('onAttempt threw an error.', error);
  }
}

const TEXTS = [
  'baseUrl',
  'clientId',
  'clientSecret',
  'appId',
  'environment',
  'headerPrefix',
] as const;

function checkTexts(options: TributaryOptions): void {
  for (const name of TEXTS)
    if (options[name] !== undefined && typeof options[name] !== 'string')
      throw new ConfigurationError(`${name} must be a text.`);
  const { scopes } = options;
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isFilledText)))
    throw new ConfigurationError("scopes must be a list of texts, such as ['links:read'].");
}

const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** An empty variable counts as missing, as in the settings of the service. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

function readBaseUrl(text: string | undefined, allowHttp: boolean): string {
  if (text === undefined)
    throw new ConfigurationError(
      'The address of the service is missing: pass baseUrl, or set TRIBUTARY_URL.',
    );
  // Of an address with a password, nothing is repeated in the error.
  const address = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text) ? parsedUrl(text) : undefined;
  if (address === undefined)
    throw new ConfigurationError(
      'baseUrl (TRIBUTARY_URL) is not the address of a service, such as https://api.example.',
    );
  if (!allowHttp && isReadableByOthers(address))
    throw new ConfigurationError(
      'baseUrl (TRIBUTARY_URL) starts with http, so the secret of the key pair and bank data could be read on their way. Use https, or pass allowHttp (TRIBUTARY_ALLOW_HTTP=1) if you trust the network.',
    );
  return text.replace(/\/$/, '');
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isReadableByOthers({ protocol, hostname }: URL): boolean {
  const isLoopback =
    /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname) || hostname.endsWith('.localhost');
  return protocol === 'http:' && !isLoopback;
}

function readKeyPair(options: TributaryOptions): KeyPair | undefined {
  const clientId = options.clientId ?? variable('CLIENT_ID');
  const clientSecret = options.clientSecret ?? variable('CLIENT_SECRET');
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined)
    throw new ConfigurationError(
      `${clientId === undefined ? 'clientId (CLIENT_ID)' : 'clientSecret (CLIENT_SECRET)'} of the key pair is missing.`,
    );
  return { clientId, clientSecret, scopes: options.scopes };
}

function readEnvironment(
  options: TributaryOptions,
  keyPair: KeyPair | undefined,
): Environment | undefined {
  const ofPair = ENVIRONMENTS.find((each) => keyPair?.clientId.startsWith(`${each}_`)) as
    | Environment
    | undefined;
  const chosen = options.environment ?? variable('TRIBUTARY_ENVIRONMENT') ?? ofPair;
  if (chosen !== undefined && !ENVIRONMENTS.includes(chosen))
    throw new ConfigurationError('environment (TRIBUTARY_ENVIRONMENT) must be sandbox or live.');
  if (ofPair !== undefined && chosen !== ofPair)
    throw new ConfigurationError(
      `The key pair belongs to ${ofPair}, but environment is ${chosen}.`,
    );
  return chosen as Environment | undefined;
}

function readNumber(
  name: string,
  value: number,
  least: number,
  greatest = Number.MAX_SAFE_INTEGER,
): number {
  if (!Number.isSafeInteger(value) || value < least || value > greatest)
    throw new ConfigurationError(
      `${name} must be a whole number of ${least} or more, at most ${greatest}.`,
    );
  return value;
}
