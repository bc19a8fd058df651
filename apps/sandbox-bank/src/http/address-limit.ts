import type { RateLimit } from '../settings.js';

/** Number of remembered addresses; the one that was idle longest is forgotten first. */
const MAX_ADDRESSES = 10_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** One bucket per address: `burst` requests at once, refilled at `perSecond`. */
export function createAddressLimit({ perSecond, burst }: RateLimit, nowMs: () => number) {
  const buckets = new Map<string, Bucket>();

  /** Takes one request: 0, or the whole seconds to wait when none remains. */
  return (address: string): number => {
    const key = networkOf(address);
    const now = nowMs();
    const { tokens, filledAt } = buckets.get(key) ?? { tokens: burst, filledAt: now };
    const left = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond);
    // set again, so that the map is in the order of use
    buckets.delete(key);
    buckets.set(key, { tokens: left >= 1 ? left - 1 : left, filledAt: now });
    const [quietest] = buckets.keys();
    if (buckets.size > MAX_ADDRESSES && quietest !== undefined) buckets.delete(quietest);
    return left >= 1 ? 0 : Math.ceil((1 - left) / perSecond);
  };
}

/** An IPv6 subscriber has a /64 of addresses, which counts as one. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
