import { endUserOf } from '../../../apps/api/src/connect/end-user-of.js';

const USER_AGENT = 'Mozilla/5.0';

describe('The user in front of Connect', () => {
  it.each([
    ['192.0.2.7', 'de-AT,de;q=0.9,en;q=0.5', '192.0.2.7', 'de-AT'],
    ['::ffff:192.0.2.7', 'fr', '192.0.2.7', 'fr'],
    ['2001:db8::7', undefined, '2001:db8::7', 'en'],
    ['192.0.2.7', '*', '192.0.2.7', 'en'],
  ])('at %s with the languages %s is %s, who reads %s', (ip, languages, ipAddress, language) => {
    const headers = { 'user-agent': USER_AGENT, 'accept-language': languages };
    expect(endUserOf({ ip, headers })).toEqual({ ipAddress, userAgent: USER_AGENT, language });
  });

  it('has a user agent of at most 500 characters', () => {
    expect(
      endUserOf({ ip: '', headers: { 'user-agent': 'x'.repeat(9_000) } }).userAgent,
    ).toHaveLength(500);
  });
});
