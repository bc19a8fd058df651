import { Linking, Platform } from 'react-native';
import { systemBrowser } from '../src/system-browser';

const mockOpenAuthSession = jest.fn();
const mockDismissAuthSession = jest.fn();
jest.mock(
  'expo-web-browser',
  () => ({
    openAuthSessionAsync: (...call: unknown[]) => mockOpenAuthSession(...call),
    dismissAuthSession: () => mockDismissAuthSession(),
  }),
  { virtual: true },
);

const BANK = 'https://bank.example/authorize';
const APP = 'pocketledger://bank-return';
const PAGE = 'https://app.example/bank-return';

/** The place where a bank's page is opened, and the options of `expo-web-browser`. */
async function opened(
  system: 'ios' | 'android',
  returnAddress: string,
  way: 'scheme' | 'https' | 'browser',
) {
  jest.replaceProperty(Platform, 'OS', system);
  const openURL = jest.spyOn(Linking, 'openURL').mockReset().mockResolvedValue(true);
  mockOpenAuthSession.mockReset().mockResolvedValue({ type: 'success', url: returnAddress });
  const result = await systemBrowser().open(BANK, returnAddress, way);
  return {
    outcome: result.outcome,
    session: mockOpenAuthSession.mock.calls,
    outside: openURL.mock.calls,
  };
}

afterEach(() => jest.restoreAllMocks());

describe("A bank's page with expo-web-browser", () => {
  it.each(['ios', 'android'] as const)(
    'returns to a scheme through the session on %s',
    async (system) => {
      expect(await opened(system, APP, 'scheme')).toEqual({
        outcome: 'returned',
        session: [[BANK, APP, {}]],
        outside: [],
      });
    },
  );

  it('returns to https through the session from iOS 17.4, as a universal link', async () => {
    expect(await opened('ios', PAGE, 'https')).toEqual({
      outcome: 'returned',
      session: [[BANK, PAGE, { preferUniversalLinks: true }]],
      outside: [],
    });
  });

  it('opens in the browser before iOS 17.4, which ends no session at https', async () => {
    expect(await opened('ios', PAGE, 'browser')).toEqual({
      outcome: 'dismissed',
      session: [],
      outside: [[BANK]],
    });
  });

  it.each([
    ['cancel', 'cancelled'],
    ['dismiss', 'dismissed'],
    ['locked', 'failed'],
  ])('reports the end %s as %s', async (type, outcome) => {
    mockOpenAuthSession.mockReset().mockResolvedValue({ type });
    expect(await systemBrowser().open(BANK, APP, 'scheme')).toEqual({ outcome });
  });

  it('closes a session that is still open, and tries once more', async () => {
    mockDismissAuthSession.mockReset();
    mockOpenAuthSession
      .mockReset()
      .mockRejectedValueOnce(new Error('already open'))
      .mockResolvedValueOnce({ type: 'success', url: APP });
    expect(await systemBrowser().open(BANK, APP, 'scheme')).toEqual({
      outcome: 'returned',
      url: APP,
    });
    expect(mockDismissAuthSession).toHaveBeenCalledTimes(1);
    mockOpenAuthSession.mockReset().mockRejectedValue(new Error('already open'));
    expect(await systemBrowser().open(BANK, APP, 'scheme')).toEqual({ outcome: 'failed' });
    expect(mockOpenAuthSession).toHaveBeenCalledTimes(2);
  });

  it('is closed with its session, also where the system cannot end one', () => {
    mockDismissAuthSession.mockReset();
    systemBrowser().close();
    expect(mockDismissAuthSession).toHaveBeenCalledTimes(1);
    mockDismissAuthSession.mockImplementation(() => {
      throw new Error('not on Android');
    });
    expect(() => systemBrowser().close()).not.toThrow();
  });

  it('stays open with a session of the app, which only the app can close', () => {
    mockDismissAuthSession.mockReset();
    systemBrowser(() => jest.fn()).close();
    expect(mockDismissAuthSession).not.toHaveBeenCalled();
  });

  it('could not be opened when the browser of the system refuses it', async () => {
    jest.replaceProperty(Platform, 'OS', 'ios');
    jest.spyOn(Linking, 'openURL').mockReset().mockRejectedValue(new Error('no browser'));
    expect(await systemBrowser().open(BANK, PAGE, 'browser')).toEqual({ outcome: 'failed' });
  });

  it('opens in the session on Android, whose App Link the session notices', async () => {
    expect(await opened('android', PAGE, 'browser')).toEqual({
      outcome: 'returned',
      session: [[BANK, PAGE, {}]],
      outside: [],
    });
  });
});
