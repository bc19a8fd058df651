import { judgeResumption } from '../../../../domain/session/judge-resumption.js';

const NATIVE = { isHosted: false, canNameUser: true };
const COMPAT = { isHosted: false, canNameUser: false };
const HOSTED = { isHosted: true, canNameUser: false };

it.each([
  ['a native session', NATIVE, 'its token', 'holder'],
  ['a native session', NATIVE, 'another token', 'refused'],
  ['a native session', NATIVE, 'no token', 'unproven'],
  ['a native session', NATIVE, 'the cookie', 'unproven'],
  ['a session that no exchange can name a user of', COMPAT, 'its token', 'holder'],
  ['a session that no exchange can name a user of', COMPAT, 'another token', 'refused'],
  ['a session that no exchange can name a user of', COMPAT, 'no token', 'refused'],
  ['a hosted session', HOSTED, 'the cookie', 'holder'],
  ['a hosted session', HOSTED, 'its token', 'refused'],
  ['a hosted session', HOSTED, 'no token', 'refused'],
  ['a hosted session', { ...HOSTED, canNameUser: true }, 'no token', 'refused'],
] as const)(
  'A resumption of %s (%j) in a window that has %s is judged as %s',
  (_, session, brings, expected) => {
    expect(
      judgeResumption(session, {
        hasToken: brings === 'its token' ? true : brings === 'another token' ? false : undefined,
        isSameBrowser: brings === 'the cookie',
      }),
    ).toBe(expected);
  },
);
