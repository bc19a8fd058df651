let query = '';

/** Takes what the provider returned out of the address, before the first call. */
export function watchForReturn(): void {
  const { pathname, search } = window.location;
  if (pathname !== '/sign-in/return' || search === '') return;
  query = search;
  window.history.replaceState(null, '', pathname);
}

/** The query with which the provider returned; it works once. */
export function takeReturnQuery(): string {
  const taken = query;
  query = '';
  return taken;
}
