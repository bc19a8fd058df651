import { AddressRules } from '../../../domain/addresses/address-rules.js';
import { addressRanges } from '../../../apps/platform/src/config/setting-parsers.js';

// webhooks 7, "Refused targets"; the first and last address of each block, and its neighbors.
const REFUSED = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.0.0',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.255',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '2001:2::1',
];
const CARRIED = [
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:0001',
  '::ffff:10.1.2.3',
  '::ffff:0:192.168.1.1',
  '::127.0.0.1',
  '::a00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '2002:7f00:1::',
  '2002:a00:1::5',
  '2002:c0a8:101::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
];
const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
  'fbff::1',
  '2001:200::1',
];

describe('Address rules', () => {
  const rulesFor = (allowed: string, refused = '') =>
    new AddressRules({
      webhookAllowedPrivateRanges: addressRanges(allowed),
      webhookRefusedRanges: addressRanges(refused),
    });
  const strict = rulesFor('');

  it.each(REFUSED)('refuses %s', (address) => expect(strict.refuses(address)).toBe(true));
  it.each(CARRIED)('refuses %s, which carries or maps a refused address', (address) =>
    expect(strict.refuses(address)).toBe(true),
  );
  it.each(PUBLIC)('allows %s', (address) => expect(strict.refuses(address)).toBe(false));
  it.each(['', 'localhost', '127.1', '1.2.3.4.5', 'example.com'])(
    'refuses "%s", which is not an address',
    (text) => expect(strict.refuses(text)).toBe(true),
  );

  it('allows exactly the ranges of the setting, also in their mapped form', () => {
    const loopback = rulesFor('127.0.0.0/8, ::1/128');
    expect(
      ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'].map((address) =>
        loopback.refuses(address),
      ),
    ).toEqual([false, false, false, false, false]);
    expect(
      ['10.0.0.1', '169.254.169.254', '::', 'fe80::1', '::ffff:10.0.0.1'].map((address) =>
        loopback.refuses(address),
      ),
    ).toEqual([true, true, true, true, true]);
  });

  it.each(['168.63.129.16', '::ffff:168.63.129.16', '64:ff9b::a83f:8110', '2002:a83f:8110::1'])(
    'refuses %s, the wire server of Azure, for any settings',
    (address) => {
      const rules = [strict, rulesFor('168.63.129.16/32'), rulesFor('0.0.0.0/0, ::/0')];
      expect(rules.map((each) => each.refuses(address))).toEqual([true, true, true]);
    },
  );

  it('refuses the ranges of WEBHOOK_REFUSED_RANGES, even if public or allowed', () => {
    const rules = rulesFor('127.0.0.0/8', '8.8.8.0/24, 127.0.0.9/32, 2a00:1450::/32');
    const refused = [
      '8.8.8.8',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
      '127.0.0.9',
      '2a00:1450:4001:82a::200e',
    ];
    expect(refused.filter((address) => !rules.refuses(address))).toEqual([]);
    expect(
      ['8.8.9.8', '127.0.0.1', '168.63.129.17', '2a00:1451::1'].filter((address) =>
        rules.refuses(address),
      ),
    ).toEqual([]);
  });

  it('calls an address private when only WEBHOOK_ALLOWED_PRIVATE_RANGES allows it', () => {
    const rules = rulesFor('127.0.0.0/8, 1.1.1.0/24');
    expect(
      ['127.0.0.1', '::ffff:127.0.0.1', '1.1.1.1', '8.8.8.8', '10.0.0.1'].map((address) =>
        rules.isPrivate(address),
      ),
    ).toEqual([true, true, false, false, false]);
  });
});
