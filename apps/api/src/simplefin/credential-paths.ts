/** Whether a call of the protocol checks a setup token or a credential itself. */
export const checksCredential = (path: string): boolean =>
  path === '/simplefin/accounts' || /^\/simplefin\/claim\/[^/]+$/.test(path);
