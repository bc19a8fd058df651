import { transactionWindow } from '../../../domain/refresh/fetch-window.js';

/** Expects the window of a fetch planned since then: midnight may have passed in the meantime. */
export function expectWindowSince(since: Date, isWholeHistory: boolean, window: unknown): void {
  const planned = [since, new Date()].map((at) => transactionWindow(isWholeHistory, at));
  expect(planned).toContainEqual(window);
}
