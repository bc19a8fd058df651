import { ConfigurationError } from './errors.js';
import type { Environment } from './generated/types.js';

/** Options of `new Tributary(…)`. What is missing is read from the environment where a variable is named. */
export interface TributaryOptions {
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
  fetch: Fetch;
}

const ENVIRONMENTS: readonly unknown[] = ['sandbox', 'live'] satisfies Environment[];

/** @throws ConfigurationError that names the wrong option, never the value of a secret */
export function readOptions(options: TributaryOptions): ClientSettings {
  const keyPair = readKeyPair(options);
  return {
    baseUrl: readBaseUrl(
      options.baseUrl ?? variable('TRIBUTARY_URL'),
      options.allowHttp ?? variable('TRIBUTARY_ALLOW_HTTP') === '1',
    ),
    keyPair,
    appId: options.appId ?? variable('TRIBUTARY_APP_ID'),
    environment: readEnvironment(options, keyPair),
    headerPrefix: options.headerPrefix ?? 'service',
    timeout: readNumber('timeout', options.timeout ?? 30_000, 1),
    maxRetries: readNumber('maxRetries', options.maxRetries ?? 2, 0),
    fetch: options.fetch ?? ((address, request) => fetch(address, request)),
  };
}

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
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text))
    throw new ConfigurationError(
      'baseUrl (TRIBUTARY_URL) is not the address of a service, such as https://api.example.',
    );
  if (!allowHttp && isReadableByOthers(text))
    throw new ConfigurationError(
      'baseUrl (TRIBUTARY_URL) starts with http, so the secret of the key pair and bank data could be read on their way. Use https, or pass allowHttp (TRIBUTARY_ALLOW_HTTP=1) if you trust the network.',
    );
  return text.replace(/\/$/, '');
}

function isReadableByOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address);
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

function readNumber(name: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least)
    throw new ConfigurationError(`${name} must be a whole number of ${least} or more.`);
  return value;
}
