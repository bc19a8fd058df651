import { I18nManager, Platform } from 'react-native';
import type { LoginSystem } from './flow-rules/login-way.js';

/** The system that opens a bank's login. */
export function phonePlatform(): LoginSystem {
  if (Platform.OS !== 'ios') return { os: 'android', version: [0, 0] };
  const [major = 0, minor = 0] = String(Platform.Version).split('.').map(Number);
  return { os: 'ios', version: [major, minor] };
}

/** BCP 47 tag of the device's language. */
export function deviceLocale(): string {
  const { localeIdentifier } = I18nManager.getConstants();
  return (
    localeIdentifier?.replace(/_/g, '-') ?? Intl.DateTimeFormat().resolvedOptions().locale ?? 'en'
  );
}
