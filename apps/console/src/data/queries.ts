import { QueryClient } from '@tanstack/react-query';
import { CallFailed } from './call-failed.js';

/** Answers keep their identity by themselves (`call.ts`), and the digits of their numbers with it. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      structuralSharing: false,
      staleTime: 2_000,
      gcTime: 5 * 60_000,
      // Only what another try may change.
      retry: (failures, error) =>
        failures < 1 && error instanceof CallFailed && (error.status === 0 || error.status >= 500),
      retryDelay: 500,
    },
  },
});
