import {
  isRedirectAllowed,
  redirectUriProblem,
} from '../../../apps/api/src/link-sessions/redirect-uri.js';

describe('A redirect_uri', () => {
  it.each([
    'https://app.example/return',
    'https://app.example:8443/a/b',
    'myapp://return',
    'com.example.app:/return',
    'exp://127.0.0.1:8081/--/return',
    'http://localhost:3000/return',
    'http://127.0.0.1/return',
    'http://[::1]:3000/',
  ])('may be %s in Sandbox', (uri) => expect(redirectUriProblem(uri)).toBeNull());

  it.each([
    '',
    'return',
    '/return',
    '//app.example/return',
    'https://',
    'https://app.example/return?',
    'https://app.example/return#',
    'https://app.example/return?a=b',
    'http://app.example/return',
    'http://localhost.app.example/',
    'javascript:/alert(1)',
    'data:/text',
    'file:///etc/passwd',
    'ftp://app.example/',
    'about:/blank',
    'https://user@app.example/',
    'https://app.example/a b',
    'https://app.example\\return',
    'ht\ttps://app.example/',
    ' https://app.example/',
  ])('must not be %j', (uri) => expect(redirectUriProblem(uri)).not.toBeNull());

  it('must be https unless it stays on the same machine, as in RFC 8252 section 7.3', () => {
    expect(redirectUriProblem('http://app.example/return')).not.toBeNull();
    expect(redirectUriProblem('http://localhost/return')).toBeNull();
    expect(redirectUriProblem('myapp://return')).toBeNull();
  });

  it('must be listed in Live, also on loopback', () => {
    const uri = 'http://localhost:4300/return';
    expect(isRedirectAllowed(uri, [], 'live')).toBe(false);
    expect(isRedirectAllowed(uri, ['http://localhost:4300'], 'live')).toBe(true);
  });

  it('matches the allow list by scheme, host and port', () => {
    const allowed = (uri: string) =>
      isRedirectAllowed(
        uri,
        ['https://App.example', 'https://b.example:444', 'myapp://return'],
        'live',
      );
    expect(
      [
        'https://app.example/x',
        'https://app.example:443/x',
        'https://b.example:444/',
        'myapp://return/here',
      ].map(allowed),
    ).toEqual([true, true, true, true]);
    expect(
      [
        'http://app.example/x',
        'https://app.example:8443/',
        'https://b.example/',
        'https://x.app.example/',
        'https://app.example.evil/',
        'myapp://other',
      ].map(allowed),
    ).toEqual(Array(6).fill(false));
  });

  it('may be anything in Sandbox and nothing in Live while the allow list is empty', () => {
    expect({
      sandbox: isRedirectAllowed('https://a.example/', [], 'sandbox'),
      live: isRedirectAllowed('https://a.example/', [], 'live'),
    }).toEqual({ sandbox: true, live: false });
  });
});
