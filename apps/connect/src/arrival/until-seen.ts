/**
 * Resolves once a person sees the page. A page that a browser loads ahead, or restores in the
 * background, must not take its session from the window in front.
 */
export function untilSeen(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}
