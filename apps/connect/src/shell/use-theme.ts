import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Appearance } from '../../../../packages/connect-protocol/src/init.js';
import { createThemeSetter } from '../theme/apply-theme.js';
import { resolveTheme, type ResolvedTheme } from '../theme/resolve-theme.js';

interface Wanted {
  /** In order of merging: the session's, then the SDK's (connect 10). */
  themes: readonly [session: unknown, sdk: unknown];
  appearance: Appearance;
  locale: string;
  isSandbox: boolean;
}

const DARK = '(prefers-color-scheme: dark)';

/**
 * The current theme, also applied to the page. Follows the system where the app leaves the choice
 * to it.
 */
export function useTheme({
  themes: [session, sdk],
  appearance: wanted,
  locale,
  isSandbox,
}: Wanted): { theme: ResolvedTheme; appearance: 'light' | 'dark' } {
  const systemIsDark = useSyncExternalStore(subscribeToSystem, () => matchMedia(DARK).matches);
  const appearance = wanted === 'system' ? (systemIsDark ? 'dark' : 'light') : wanted;
  const theme = useMemo(
    () =>
      resolveTheme([session, sdk], {
        appearance,
        locale,
        supports: (property, value) => CSS.supports(property, value),
      }),
    [session, sdk, appearance, locale],
  );
  const [setTheme] = useState(() => createThemeSetter(document.documentElement));
  useLayoutEffect(() => setTheme(theme, appearance), [setTheme, theme, appearance]);
  useEffect(() => {
    if (!isSandbox || Object.keys(theme.properties).length === 0) return;
    void import('../theme/warn-of-low-contrast.js').then(({ warnOfLowContrast }) =>
      warnOfLowContrast(document.body),
    );
  }, [isSandbox, theme]);
  return { theme, appearance };
}

function subscribeToSystem(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
