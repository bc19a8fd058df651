import { addressPolicyOf } from '../../../../providers/simplefin/client/address-policy.js';
import { readAccessUrl } from '../../../../providers/simplefin/client/access-url.js';
import { readSetupToken } from '../../../../providers/simplefin/login/setup-token.js';
import { SIMPLEFIN_SETTINGS } from '../../../../providers/simplefin/settings.js';
import { hostileSetupTokens } from '../../../support/fixtures/hostile-setup-tokens.js';

const policy = addressPolicyOf(SIMPLEFIN_SETTINGS.public.parse({}));
const CLAIM = 'https://bridge.simplefin.org/simplefin/claim/~~~~~?????';
const token = Buffer.from(CLAIM).toString('base64');

describe('A SimpleFIN setup token', () => {
  it.each([
    ['base64', token],
    ['base64 without padding', token.replace(/=+$/, '')],
    ['base64url', token.replaceAll('+', '-').replaceAll('/', '_')],
    ['white space around and inside', ` ${token.slice(0, 10)}\n  ${token.slice(10)}\t\r\n`],
  ])('is read from %s', (_form, typed) => {
    expect(readSetupToken(typed, policy)).toEqual({ claimAddress: CLAIM });
  });

  it("is read in the form of the protocol's example", () => {
    const example = 'aHR0cHM6Ly9icmlkZ2Uuc2ltcGxlZmluLm9yZy9zaW1wbGVmaW4vY2xhaW0vZGVtbw==';
    expect(readSetupToken(example, policy)).toEqual({
      claimAddress: 'https://bridge.simplefin.org/simplefin/claim/demo',
    });
  });

  it('is read for each host of the list', () => {
    const beta = 'https://beta-bridge.simplefin.org/simplefin/claim/B';
    expect(readSetupToken(Buffer.from(beta).toString('base64'), policy)).toEqual({
      claimAddress: beta,
    });
  });

  const hostile = hostileSetupTokens('127.0.0.1:8080');

  it.each(hostile)('is refused for %s', (_what, typed) => {
    expect(readSetupToken(typed, policy)).toEqual({
      problem: expect.stringMatching(/^(unreadable|not_allowed)$/),
    });
  });

  it.each([
    ['another server', 'https://evil.example/simplefin/claim/A', 'not_allowed'],
    ['no claim', 'https://bridge.simplefin.org/simplefin/accounts', 'unreadable'],
    ['a text', 'hello', 'unreadable'],
  ])('causes an explanation of the problem with %s', (_what, address, problem) => {
    expect(readSetupToken(Buffer.from(address).toString('base64'), policy)).toEqual({ problem });
  });

  it('is refused in more than forty hostile forms', () => {
    expect(hostile.length).toBeGreaterThan(40);
    expect(new Set(hostile.map(([, typed]) => typed)).size).toBe(hostile.length);
  });

  it.each([
    ['10.1.2.3', 'https://10.1.2.3/claim/A'],
    ['127.0.0.1:4301', 'http://127.0.0.1:4301/claim/A'],
    ['localhost:4301', 'http://localhost:4301/claim/A'],
  ])('is refused for the listed private host %s', (host, address) => {
    const listed = addressPolicyOf({ hosts: [host], allowLoopback: false });
    expect(readSetupToken(Buffer.from(address).toString('base64'), listed)).toEqual({
      problem: 'not_allowed',
    });
  });

  it('may name this machine, and no other private address, if a simulator is allowed', () => {
    const simulators = addressPolicyOf({
      hosts: ['127.0.0.1:4301', '10.1.2.3', '10.1.2.3:80', 'bank.example'],
      allowLoopback: true,
    });
    const read = (address: string) =>
      readSetupToken(Buffer.from(address).toString('base64'), simulators);
    expect(read('http://127.0.0.1:4301/claim/A')).toEqual({
      claimAddress: 'http://127.0.0.1:4301/claim/A',
    });
    for (const address of [
      'http://127.0.0.1:4302/claim/A',
      'https://10.1.2.3/claim/A',
      'http://bank.example/claim/A',
    ])
      expect(read(address)).toEqual({ problem: 'not_allowed' });
  });
});

describe('A SimpleFIN access URL', () => {
  it('is split into the root of the server and Basic credentials', () => {
    expect(readAccessUrl('https://us%65r:p%40ss@bridge.simplefin.org/simplefin/', policy)).toEqual({
      root: 'https://bridge.simplefin.org/simplefin',
      authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
    });
    expect(readAccessUrl('https://u:p@bridge.simplefin.org', policy)?.root).toBe(
      'https://bridge.simplefin.org',
    );
  });

  it.each([
    ['no credentials', 'https://bridge.simplefin.org/simplefin'],
    ['no password', 'https://user@bridge.simplefin.org/simplefin'],
    ['an empty password', 'https://user:@bridge.simplefin.org/simplefin'],
    ['another host', 'https://u:p@evil.example/simplefin'],
    ['two hosts', 'https://u:p@bridge.simplefin.org@evil.example/simplefin'],
    ['another port', 'https://u:p@bridge.simplefin.org:8443/simplefin'],
    ['http', 'http://u:p@bridge.simplefin.org/simplefin'],
    ['this machine', 'https://u:p@127.0.0.1/simplefin'],
    ['a query', 'https://u:p@bridge.simplefin.org/simplefin?x=1'],
    ['a broken encoding', 'https://u%zz:p@bridge.simplefin.org/simplefin'],
    ['a page', '<html></html>'],
    ['nothing', ''],
  ])('is refused with %s', (_what, text) => {
    expect(readAccessUrl(text, policy)).toBeNull();
  });
});
