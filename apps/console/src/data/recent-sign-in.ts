import { Signal } from './signal.js';

export interface RecentSignInRequest {
  /** Repeats the call, after another sign-in in this browser. */
  repeat: () => void;
  giveUp: () => void;
}

/** The call that waits for a sign-in of the last ten minutes; the frame shows it as a dialog. */
export const recentSignIn = new Signal<RecentSignInRequest | null>(null);

/** Resolves once the person wants to try again, and rejects when they do not. */
export function waitForRecentSignIn(reason: Error): Promise<void> {
  return new Promise((resolve, reject) => {
    recentSignIn.set({
      repeat: () => {
        recentSignIn.set(null);
        resolve();
      },
      giveUp: () => {
        recentSignIn.set(null);
        reject(reason);
      },
    });
  });
}
