import { checkWebhookUrl } from '../../../apps/platform/src/addresses/check-webhook-url.js';
import { addressRanges } from '../../../apps/platform/src/config/setting-parsers.js';

const rangesOf = (allowed = '', refused = '') => ({
  webhookAllowedPrivateRanges: addressRanges(allowed),
  webhookRefusedRanges: addressRanges(refused),
});
const messageFor = (url: string, environment: 'sandbox' | 'live' = 'sandbox', allowed = '') =>
  checkWebhookUrl(url, environment, rangesOf(allowed))?.message;

describe('A webhook URL in a request', () => {
  it.each([
    'https://app.example/hooks/bank',
    'https://app.example/hooks?tenant=7&x=%20',
    'HTTPS://App.Example:8443/',
    'https://1.1.1.1/hooks',
    'https://[2606:4700:4700::1111]/hooks',
    'http://app.example/hooks',
    // A name is checked at every attempt.
    'http://localhost:3000/hooks',
    'https://münchen.example/',
    'https://app.example/a@b',
  ])('is accepted: %s', (url) => expect(messageFor(url)).toBeUndefined());

  it('has at most 2,048 characters', () => {
    const url = (length: number) => 'https://app.example/'.padEnd(length, 'a');
    expect({ longest: messageFor(url(2_048)), tooLong: messageFor(url(2_049)) }).toEqual({
      longest: undefined,
      tooLong: 'must have at most 2048 characters',
    });
  });

  it('must be https in Live', () => {
    expect({
      http: messageFor('http://app.example/', 'live'),
      https: messageFor('https://app.example/', 'live'),
    }).toEqual({ http: 'must be an https address', https: undefined });
  });

  it.each([
    '',
    'app.example/hooks',
    '/hooks',
    'ftp://app.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https:app.example',
    'https://',
    'https:///hooks',
    ' https://app.example/',
    'https://app.example/\n',
    'https://app .example/',
    'https:\\\\app.example\\',
    'https://app.example:99999/',
    'https://[::1',
    'https://1.2.3.4.5/',
  ])('is refused when it is not an absolute URL: "%s"', (url) =>
    expect(messageFor(url)).toBe('must be an absolute https address'),
  );

  it.each([
    'https://user@app.example/',
    'https://user:secret@app.example/',
    'https://:secret@app.example/',
    'https://@app.example/',
  ])('is refused when it contains a user name or password: %s', (url) =>
    expect(messageFor(url)).toBe('must not hold a user name or password'),
  );

  it.each(['https://app.example/#', 'https://app.example/#top', 'https://app.example?x#y'])(
    'is refused when it contains a fragment: %s',
    (url) => expect(messageFor(url)).toBe('must not have a fragment'),
  );

  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0X7F.0.0.1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.0.0.0x1/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.０.０.１/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0/',
    'http://0.0.0.0:8080/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:FFFF:7F00:0001]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[ff02::1]/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://3232235777/',
    'https://0xc0a80101/',
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/',
    'https://100.64.0.1/',
    'https://198.18.0.1/',
    'https://192.0.2.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://4294967295/',
  ])('is refused when its address is never allowed: %s', (url) => {
    expect(checkWebhookUrl(url, 'sandbox', rangesOf())).toEqual({
      location: ['body', 'webhook'],
      message: 'must not be an address of a private network',
      type: 'address_refused',
    });
  });

  it('may name an address that WEBHOOK_ALLOWED_PRIVATE_RANGES lists, in any spelling', () => {
    const allowed = '127.0.0.0/8';
    expect(
      [
        'http://127.0.0.1:3000/',
        'http://2130706433/',
        'http://0x7f.1/',
        'http://[::ffff:127.0.0.1]/',
      ].map((url) => messageFor(url, 'sandbox', allowed)),
    ).toEqual([undefined, undefined, undefined, undefined]);
    expect(messageFor('http://10.0.0.1/', 'sandbox', allowed)).toBe(
      'must not be an address of a private network',
    );
  });

  it('must not name an address that WEBHOOK_REFUSED_RANGES lists, or the wire server of Azure', () => {
    expect(
      checkWebhookUrl('https://8.8.8.8/', 'sandbox', rangesOf('8.0.0.0/8', '8.8.8.0/24')),
    ).toMatchObject({ type: 'address_refused' });
    expect(messageFor('http://168.63.129.16/machine?comp=goalstate', 'sandbox', '0.0.0.0/0')).toBe(
      'must not be an address of a private network',
    );
  });

  it('is reported under the name of its field', () => {
    expect(
      checkWebhookUrl('nonsense', 'sandbox', rangesOf(), ['body', 'webhook', 0])?.location,
    ).toEqual(['body', 'webhook', 0]);
  });
});
