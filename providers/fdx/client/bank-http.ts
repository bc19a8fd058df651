import type * as oauth from 'openid-client';
import { request, type Dispatcher } from 'undici';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { WrapCalls } from '../../adapter.js';
import type { AddressReach } from '../../http/address-reach.js';
import { createDispatcher } from '../../http/guarded-dispatcher.js';
import type { ResolveAll } from '../../http/guarded-lookup.js';
import { withDeadline, type BankHttpLimits } from '../../http/http-limits.js';
import { malformed } from '../../http/remote-object.js';
import {
  failureOfAuthorizationStatus,
  failureOfTransport,
  type BankPart,
} from '../failure-table.js';
import type { FdxInstitution } from '../settings.js';
import type { ClientCertificate } from './client-certificate.js';

export const FDX_LIMITS: Readonly<BankHttpLimits> = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 60_000,
  callTimeoutMs: 90_000,
  loginTimeoutMs: 60_000,
  maxResponseBytes: 8 * 1024 * 1024,
};

/** Bounded HTTP with the banks of a configuration. Does not follow redirects. */
export interface BankHttp {
  /** For `openid-client`; each call ends with `signal`. */
  fetchFor(institution: FdxInstitution, part: BankPart, signal: AbortSignal): oauth.CustomFetch;
  /** Runs one or several calls within the time limit. */
  within<T>(
    part: BankPart,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
    translate: (error: unknown) => ProviderFailure,
  ): Promise<T>;
}

export interface BankHttpParts {
  limits: BankHttpLimits;
  /** Presented only to banks that are configured for `mtls`. */
  certificate: ClientCertificate | null;
  /** PEM text; Node's authorities by default. */
  certificateAuthority: string | undefined;
  /** Also allows http on this machine. */
  allowLoopback: boolean;
  /** Limits the targets of connections, regardless of the discovery document. */
  reach: AddressReach;
  resolve?: ResolveAll | undefined;
  wrapCalls?: WrapCalls | undefined;
}

export function createBankHttp(parts: BankHttpParts): BankHttp {
  const { limits, certificate, certificateAuthority, allowLoopback, reach, resolve } = parts;
  const { wrapCalls = (calls) => calls } = parts;
  const dispatcherWith = (shown: { cert: string; key: string } | null): Dispatcher =>
    wrapCalls(
      createDispatcher({
        limits,
        reach,
        resolve,
        tls: {
          ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
          ...shown,
        },
      }),
    );
  const plain = dispatcherWith(null);
  const mutual =
    certificate === null
      ? plain
      : dispatcherWith({ cert: certificate.certificate, key: certificate.key });

  return {
    fetchFor: ({ clientAuthentication }, part, signal) => {
      const dispatcher = clientAuthentication === 'mtls' ? mutual : plain;
      return async (address, { method, headers, body }) => {
        if (!isAllowedAddress(address, allowLoopback))
          throw malformed('an address of the bank is not https');
        const text = body instanceof URLSearchParams ? body.toString() : body;
        if (typeof text !== 'string' && text !== null && text !== undefined)
          throw new ProviderFailure('internal', 'The request body has an unsupported type.');
        return send(address, part, {
          dispatcher,
          method: method as Dispatcher.HttpMethod,
          headers,
          body: text ?? null,
          signal,
        });
      };
    },
    within: (part, signal, run, translate) =>
      withDeadline(
        signal,
        part === 'resources' ? limits.callTimeoutMs : limits.loginTimeoutMs,
        run,
        translate,
      ),
  };
}

/** https, or http on this machine if that is allowed. */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return true;
  return allowLoopback && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

async function send(
  address: string,
  part: BankPart,
  options: Parameters<typeof request>[1],
): Promise<Response> {
  const translate = (error: unknown): never => {
    throw failureOfTransport(error, part);
  };
  const { statusCode, headers, body } = await request(address, options).catch(translate);
  const bytes = await body.arrayBuffer().catch(translate);
  if (part === 'authorization') {
    const isJson = String(headers['content-type']).includes('json');
    const retryAfter = headers['retry-after'];
    const failure = failureOfAuthorizationStatus(statusCode, { isJson, retryAfter });
    if (failure !== null) throw failure;
    if (statusCode < 300 && isPage(headers['content-type'])) throw malformed('it is a page');
  }
  // A Response has no statuses below 200.
  if (statusCode < 200) throw malformed('its status is unexpected');
  const hasBody = bytes.byteLength > 0 && ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? bytes : null, {
    status: statusCode,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  });
}

/** True for the content type of a page, which comes from a proxy in front of a server. */
export const isPage = (contentType: string | string[] | null | undefined): boolean =>
  typeof contentType === 'string' && contentType.toLowerCase().startsWith('text/html');
