import { Linking, Platform } from 'react-native';
import type { AuthWay } from './flow-rules/auth-way.js';
import type { AuthSessionResult, OpenAuthSession } from './options.js';

/** The used part of `expo-web-browser`. */
interface ExpoWebBrowser {
  openAuthSessionAsync(
    address: string,
    returnAddress: string,
    options?: { preferUniversalLinks?: boolean },
  ): Promise<{ type: string; url?: string }>;
  dismissAuthSession(): void;
}

/** Optional: Expo's and React Native's bundlers omit it where it is not installed. */
function findExpoWebBrowser(): ExpoWebBrowser | undefined {
  try {
    return require('expo-web-browser') as ExpoWebBrowser;
  } catch {
    return undefined;
  }
}

export interface SystemBrowser {
  /** @param way the form of the return to the app */
  open: (address: string, returnAddress: string, way: AuthWay['way']) => Promise<AuthSessionResult>;
  /** Ends the session that is open, if the system allows it. */
  close(): void;
}

/**
 * The app's own session, else `expo-web-browser`, else the browser of the system, which reports no end.
 * @param ownSession the app's session at the time a page is opened
 */
export function systemBrowser(
  ownSession: () => OpenAuthSession | undefined = () => undefined,
): SystemBrowser {
  return {
    open(address, returnAddress, way) {
      const own = ownSession();
      if (own !== undefined) return settled(() => own(address, returnAddress));
      const expo = findExpoWebBrowser();
      // Before 17.4 the session of iOS ends at no https address; the universal link then opens the app.
      if (expo === undefined || (Platform.OS === 'ios' && way === 'browser'))
        return openOutside(address);
      return settled(() => openWithExpo(expo, address, returnAddress, way));
    },
    close() {
      if (ownSession() === undefined) dismiss(findExpoWebBrowser());
    },
  };
}

async function settled(open: () => Promise<AuthSessionResult>): Promise<AuthSessionResult> {
  try {
    return await open();
  } catch {
    return { outcome: 'failed' };
  }
}

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

function dismiss(expo: ExpoWebBrowser | undefined): void {
  try {
    expo?.dismissAuthSession();
  } catch {
    // Android cannot end it; the user closes it.
  }
}

/** The return comes as a deep link; the hosted app offers "open again" and "cancel" in the meantime. */
async function openOutside(address: string): Promise<AuthSessionResult> {
  try {
    await Linking.openURL(address);
    return { outcome: 'dismissed' };
  } catch {
    return { outcome: 'failed' };
  }
}
