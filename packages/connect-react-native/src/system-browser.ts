import { Linking, Platform } from 'react-native';
import type { AuthWay } from './flow-rules/auth-way.js';
import type { AuthSessionResult, OpenAuthSession } from './options.js';

/** What is used of `expo-web-browser`. */
interface ExpoWebBrowser {
  openAuthSessionAsync(
    address: string,
    returnAddress: string,
    options?: { preferUniversalLinks?: boolean },
  ): Promise<{ type: string; url?: string }>;
  dismissAuthSession(): void;
}

/** Optional: Expo's and React Native's bundlers leave it out where it is not installed. */
function findExpoWebBrowser(): ExpoWebBrowser | undefined {
  try {
    return require('expo-web-browser') as ExpoWebBrowser;
  } catch {
    return undefined;
  }
}

export interface SystemBrowser {
  /** @param way how the system recognizes the return */
  open: (address: string, returnAddress: string, way: AuthWay['way']) => Promise<AuthSessionResult>;
  /** Ends the session that is open, if the system allows it. */
  close(): void;
}

/** `given` by the app, else `expo-web-browser`, else the browser of the system, which reports no end. */
export function systemBrowser(given?: OpenAuthSession): SystemBrowser {
  if (given !== undefined)
    return {
      open: (address, returnAddress) => settled(given(address, returnAddress)),
      close() {},
    };
  const expo = findExpoWebBrowser();
  if (expo === undefined) return { open: openOutside, close() {} };
  return {
    open: (address, returnAddress, way) =>
      // Before 17.4 the session of iOS ends at no https address; the universal link then opens the app.
      Platform.OS === 'ios' && way === 'browser'
        ? openOutside(address)
        : settled(openWithExpo(expo, address, returnAddress, way)),
    close: () => dismiss(expo),
  };
}

const settled = (session: Promise<AuthSessionResult>): Promise<AuthSessionResult> =>
  session.catch((): AuthSessionResult => ({ outcome: 'failed' }));

async function openWithExpo(
  expo: ExpoWebBrowser,
  address: string,
  returnAddress: string,
  way: AuthWay['way'],
): Promise<AuthSessionResult> {
  // Without it iOS takes "https" for the scheme of an app.
  const options = way === 'https' ? { preferUniversalLinks: true } : {};
  const open = () => expo.openAuthSessionAsync(address, returnAddress, options);
  // It throws while an earlier session is open, such as one of the app's own.
  const result = await open().catch(() => {
    dismiss(expo);
    return open();
  });
  if (result.type === 'success' && typeof result.url === 'string')
    return { outcome: 'returned', url: result.url };
  if (result.type === 'locked') return { outcome: 'failed' };
  return { outcome: result.type === 'cancel' ? 'cancelled' : 'dismissed' };
}

function dismiss(expo: ExpoWebBrowser): void {
  try {
    expo.dismissAuthSession();
  } catch {
    // Android has no way to end it; the user closes it.
  }
}

/** The return comes as a deep link; the hosted app offers "open again" and "cancel" meanwhile. */
async function openOutside(address: string): Promise<AuthSessionResult> {
  try {
    await Linking.openURL(address);
    return { outcome: 'dismissed' };
  } catch {
    return { outcome: 'failed' };
  }
}
