import { I18nManager } from 'react-native';

/** BCP 47 tag of the device's language. */
export function deviceLocale(): string {
  const { localeIdentifier } = I18nManager.getConstants();
  return localeIdentifier?.replace(/_/g, '-') ?? Intl.DateTimeFormat().resolvedOptions().locale;
}
