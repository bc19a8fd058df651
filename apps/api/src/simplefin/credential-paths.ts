/** True for the calls of the protocol that check a setup token or a credential themselves. */
export const checksCredential = (path: string): boolean =>
  path === '/simplefin/accounts' || /^\/simplefin\/claim\/[^/]+$/.test(path);
