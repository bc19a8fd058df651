const NAME = 'console-session';

/**
 * The second half of the session. The first one is a cookie, which every port of this host receives; this storage
 * belongs to this origin alone, and the service wants both.
 */
export const sessionHalf = {
  read: (): string => localStorage.getItem(NAME) ?? '',
  keep: (half: string): void => localStorage.setItem(NAME, half),
  remove: (): void => localStorage.removeItem(NAME),
  /** Calls back when another tab of this browser signs in. @returns its end */
  onOtherSignIn(signedIn: () => void): () => void {
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key === NAME && newValue !== null) signedIn();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  },
};
