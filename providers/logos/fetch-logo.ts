import { request, type Dispatcher } from 'undici';
import { publicAnd, type AddressReach } from '../http/address-reach.js';
import { createDispatcher } from '../http/guarded-dispatcher.js';
import type { BankHttpLimits } from '../http/http-limits.js';

export const LOGO_LIMITS: Readonly<BankHttpLimits> = {
  connectTimeoutMs: 3_000,
  silenceTimeoutMs: 5_000,
  callTimeoutMs: 8_000,
  loginTimeoutMs: 8_000,
  maxResponseBytes: 512 * 1024,
};
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** The declared types of the pictures that are encoded again. */
const TYPES = /^image\/(png|jpeg|webp)\b|^(application|binary)\/octet-stream\b/i;

/** Returns the bytes at an address, or null if no picture can be read from it. */
export type FetchLogo = (address: string, signal: AbortSignal) => Promise<Uint8Array | null>;

/**
 * Reads logos from public addresses over https. Every target of a redirect is judged like the
 * first address, when the connection is made.
 */
export function createFetchLogo({
  limits = LOGO_LIMITS,
  reach = publicAnd([]),
  isAllowed = isHttps,
  ...parts
}: {
  limits?: BankHttpLimits;
  reach?: AddressReach;
  /** Replaced by tests, like the parts of the dispatcher. */
  isAllowed?: (address: URL) => boolean;
  resolve?: Parameters<typeof createDispatcher>[0]['resolve'];
} = {}): FetchLogo {
  const dispatcher = createDispatcher({ limits, reach, ...parts });
  return async (address, signal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(limits.callTimeoutMs)]);
    try {
      return await follow(address, { dispatcher, isAllowed, signal: bounded });
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };
}

const isHttps = ({ protocol }: URL): boolean => protocol === 'https:';

async function follow(
  address: string,
  {
    dispatcher,
    isAllowed,
    signal,
  }: { dispatcher: Dispatcher; isAllowed: (address: URL) => boolean; signal: AbortSignal },
): Promise<Uint8Array | null> {
  // Throws for text that is not an address, as for every broken connection.
  let next = new URL(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!isAllowed(next) || next.username !== '' || next.password !== '') return null;
    const { statusCode, headers, body } = await request(next, {
      dispatcher,
      signal,
      headers: { accept: 'image/png, image/jpeg, image/webp' },
    });
    if (statusCode === 200 && TYPES.test(String(headers['content-type'])))
      return new Uint8Array(await body.arrayBuffer());
    // Reads the rest, so that the connection can be used again.
    await body.dump();
    const { location } = headers;
    if (!REDIRECTS.includes(statusCode) || typeof location !== 'string') return null;
    next = new URL(location, next);
  }
  return null;
}
