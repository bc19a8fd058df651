import type { Route } from '../http/route.js';

export function liveRoute(): Route {
  return {
    method: 'GET',
    path: '/health/live',
    handle: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
  };
}

/**
 * 200 when the database responds and has the bank's tables; otherwise 503 naming the missing part.
 */
export function readyRoute(checkDatabase: () => Promise<void>): Route {
  return {
    method: 'GET',
    path: '/health/ready',
    async handle() {
      try {
        await checkDatabase();
        return { status: 200, body: { status: 'ok' } };
      } catch {
        return {
          status: 503,
          body: { status: 'unavailable', failing: ['database'] },
          headers: { 'retry-after': '1' },
        };
      }
    },
  };
}
