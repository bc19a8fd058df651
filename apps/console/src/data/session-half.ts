const NAME = 'console-session';

/**
 * The second half of the session. The first one is a cookie, which every port of this host receives; this storage
 * belongs to this origin alone, and the service wants both.
 */
export const sessionHalf = {
  read: (): string => localStorage.getItem(NAME) ?? '',
  keep: (half: string): void => localStorage.setItem(NAME, half),
  remove: (): void => localStorage.removeItem(NAME),
};
