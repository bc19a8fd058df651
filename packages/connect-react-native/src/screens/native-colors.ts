import { useColorScheme } from 'react-native';
import type { ConnectLook } from '../options.js';

/** Of the native screens; those of the hosted app follow the theme. */
export function useColors(appearance: ConnectLook['appearance']) {
  const scheme = useColorScheme();
  return colorsOf(appearance === 'light' || appearance === 'dark' ? appearance : scheme);
}

export const colorsOf = (scheme: string | null | undefined) =>
  scheme === 'dark'
    ? { background: '#111417', text: '#f4f6f8' }
    : { background: '#ffffff', text: '#15181c' };
