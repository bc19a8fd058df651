/**
 * Addresses that never receive a webhook unless WEBHOOK_ALLOWED_PRIVATE_RANGES names them.
 * Source: webhooks 7, "Refused targets"; the blocks are those of the IANA special-purpose registries.
 */
export const REFUSED_IPV4 = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared carrier space'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local, cloud metadata'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'relays of translated addresses'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmark'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved and broadcast'],
] as const;

export const REFUSED_IPV6 = [
  ['::', 96, 'unspecified, loopback, and the old form that carries an IPv4 address'],
  ['64:ff9b:1::', 48, 'translation within one network'],
  ['100::', 64, 'discard'],
  ['2001::', 23, 'protocol assignments: Teredo, benchmark, identifiers that are no addresses'],
  ['2001:db8::', 32, 'documentation'],
  ['3fff::', 20, 'documentation'],
  ['5f00::', 16, 'segment routing'],
  ['fc00::', 7, 'unique-local'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
] as const;

/** No setting allows these: the addresses are public, but the host of an instance responds to them. */
export const NEVER_ALLOWED = [['168.63.129.16', 32, 'wire server of Azure']] as const;

/** IPv6 blocks that embed an IPv4 address, with the 16-bit group at which it starts; the IPv4 address is checked instead. */
export const CARRIES_IPV4 = [
  ['::ffff:0:0', 96, 6],
  ['::ffff:0:0:0', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
] as const;
