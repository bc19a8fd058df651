import { BlockList, isIP, isIPv4 } from 'node:net';
import { CARRIES_IPV4, NEVER_ALLOWED, REFUSED_IPV4, REFUSED_IPV6 } from './refused-ranges.js';

const refused = new BlockList();
for (const [network, prefix] of REFUSED_IPV4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of REFUSED_IPV6) refused.addSubnet(network, prefix, 'ipv6');

const carriers = CARRIES_IPV4.map(([network, prefix, group]) => {
  const block = new BlockList();
  block.addSubnet(network, prefix, 'ipv6');
  return { block, group };
});

/** Size of the verdict cache: checking the ranges costs a fiftieth of an attempt. */
const MAX_CACHED_VERDICTS = 1_000;

/** `private`: refused unless a setting allows it. */
type Verdict = 'public' | 'private' | 'refused';

/** A block of addresses: `10.0.0.0` with the prefix 8. */
export interface AddressRange {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

export interface WebhookRanges {
  webhookAllowedPrivateRanges: readonly AddressRange[];
  webhookRefusedRanges: readonly AddressRange[];
}

/** Decides which addresses Tributary may connect to. Source: webhooks 7. */
export class AddressRules {
  private readonly allowed: BlockList;
  private readonly never: BlockList;
  private readonly verdicts = new Map<string, Verdict>();

  constructor({ webhookAllowedPrivateRanges, webhookRefusedRanges }: WebhookRanges) {
    this.allowed = blockListOf(webhookAllowedPrivateRanges);
    this.never = blockListOf(webhookRefusedRanges);
    for (const [address, prefix] of NEVER_ALLOWED) this.never.addSubnet(address, prefix, 'ipv4');
  }

  /** Also true for text that is not an address. */
  refuses(address: string): boolean {
    return this.verdictOn(address) === 'refused';
  }

  /** True for an address that is allowed only because WEBHOOK_ALLOWED_PRIVATE_RANGES names it. */
  isPrivate(address: string): boolean {
    return this.verdictOn(address) === 'private';
  }

  private verdictOn(address: string): Verdict {
    const known = this.verdicts.get(address);
    if (known !== undefined) return known;
    const verdict = this.judge(address);
    if (this.verdicts.size >= MAX_CACHED_VERDICTS) this.verdicts.clear();
    this.verdicts.set(address, verdict);
    return verdict;
  }

  private judge(address: string): Verdict {
    const [plain = ''] = address.split('%');
    if (isIP(plain) === 0) return 'refused';
    const judged = carriedIpv4(plain) ?? plain;
    const isIn = (list: BlockList) => isListed(list, plain) || isListed(list, judged);
    if (isIn(this.never)) return 'refused';
    if (!isListed(refused, judged)) return 'public';
    return isIn(this.allowed) ? 'private' : 'refused';
  }
}

/** The ranges as a list for address lookups. */
export function blockListOf(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return list;
}

/** Whether an IP address, of either version, is in the list. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function carriedIpv4(address: string): string | null {
  if (isIPv4(address)) return null;
  const carrier = carriers.find(({ block }) => block.check(address, 'ipv6'));
  if (carrier === undefined) return null;
  const [high = 0, low = 0] = groupsOf(address).slice(carrier.group, carrier.group + 2);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight groups of an IPv6 address, regardless of its spelling. */
export function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return groups(head);
  const [left, right] = [groups(head), groups(tail)];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/**
 * The literal address in a URL, or null for a host name. The URL parser has already normalized
 * decimal, octal, hexadecimal and short spellings.
 */
export function literalAddress(hostname: string): string | null {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? null : address;
}
