import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { queries } from '../data/queries.js';
import { cssVariablesResolver, theme } from '../theme/theme.js';
import { useAppearance } from '../theme/use-appearance.js';
import { router } from './router.js';

const colorScheme = localStorageColorSchemeManager({ key: 'console-theme' });

export function ConsoleApp({ nonce }: { nonce: string | undefined }): ReactElement {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      {...(nonce === undefined ? {} : { getStyleNonce: () => nonce })}
    >
      <Appearance />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Appearance(): null {
  useAppearance();
  return null;
}
