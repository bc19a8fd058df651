import { parseUrl } from '../../domain/addresses/parse-url.js';
import {
  AddressRules,
  literalAddress,
  type AddressRange,
} from '../../domain/addresses/address-rules.js';
import type { Configuration } from '../adapter.js';

/** Judges the addresses of connections. */
export type AddressReach = Pick<AddressRules, 'refuses'>;

export const LOOPBACK: readonly AddressRange[] = [
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '::1', prefix: 128, family: 'ipv6' },
];

/**
 * Networks in which simulators run. They do not include link-local addresses, and so not cloud
 * metadata.
 */
const PRIVATE_NETWORKS: readonly AddressRange[] = [
  { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '100.64.0.0', prefix: 10, family: 'ipv4' },
  { address: '172.16.0.0', prefix: 12, family: 'ipv4' },
  { address: '192.168.0.0', prefix: 16, family: 'ipv4' },
  { address: 'fc00::', prefix: 7, family: 'ipv6' },
];

/** Allows public addresses, and these ranges. */
export function publicAnd(ranges: readonly AddressRange[]): AddressRules {
  return new AddressRules({ webhookAllowedPrivateRanges: ranges, webhookRefusedRanges: [] });
}

const REACH: Readonly<Record<Configuration['environment'], AddressReach>> = {
  live: publicAnd([]),
  sandbox: publicAnd([...LOOPBACK, ...PRIVATE_NETWORKS]),
};

/**
 * The addresses that a configuration may connect to, regardless of its settings and of addresses
 * from its source.
 */
export const reachOf = (environment: Configuration['environment']): AddressReach =>
  REACH[environment];

/** For the sandbox bank, whose address is a setting of the service. */
export const ANYWHERE: AddressReach = { refuses: () => false };

/**
 * The restrictions of Live on settings, as sentences. Names are judged by the addresses they
 * resolve to, when a connection is made.
 * @param addresses pairs of the name of a setting and a URL in it
 */
export function refusedInLive(
  environment: Configuration['environment'],
  {
    allowLoopback = false,
    addresses,
  }: {
    allowLoopback?: boolean;
    addresses: readonly (readonly [setting: string, address: string])[];
  },
): string[] {
  if (environment !== 'live') return [];
  const loopback = allowLoopback
    ? [
        'The setting "allowLoopback" is only for configurations of the Sandbox: Live never connects to this machine.',
      ]
    : [];
  const local = addresses.filter(([, address]) => isLocal(address)).map(([setting]) => setting);
  return [
    ...loopback,
    ...[...new Set(local)].map(
      (name) =>
        `The setting "${name}" names this machine or a private network, to which Live never connects.`,
    ),
  ];
}

function isLocal(address: string): boolean {
  const url = parseUrl(address);
  if (url === null) return false;
  const { hostname } = url;
  const literal = literalAddress(hostname);
  return literal === null ? /(^|\.)localhost\.?$/.test(hostname) : reachOf('live').refuses(literal);
}
