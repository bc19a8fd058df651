import { parseUrl } from '../../../../domain/addresses/parse-url.js';

/** Text of bytes above 127, as in a setup token or a header. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

describe('An address that is parsed', () => {
  // The compiler of Node 20 replaces `URL.canParse` by one that reads such text as UTF-8 after about 2,000 calls.
  it('is refused however often it was refused before', () => {
    const address = latin1('https://bridge。simplefin。org/simplefin/claim/A');
    const parsed = Array.from({ length: 20_000 }, () => parseUrl(address));
    expect(parsed.filter((url) => url !== null)).toEqual([]);
  });

  it.each([
    ['https://bank.example/a?b#c', 'https://bank.example/a?b#c'],
    ['com.example.app://return', 'com.example.app://return'],
    ['/relative', undefined],
    ['https://', undefined],
    ['', undefined],
  ])('%j is %s', (text, href) => {
    expect(parseUrl(text)?.href).toBe(href);
  });
});
