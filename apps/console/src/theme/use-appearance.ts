import { useComputedColorScheme } from '@mantine/core';
import { useLayoutEffect } from 'react';

/** Lets the tokens of Connect follow the chosen theme. */
export function useAppearance(): void {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => {
    document.documentElement.dataset['appearance'] = scheme;
  }, [scheme]);
}
