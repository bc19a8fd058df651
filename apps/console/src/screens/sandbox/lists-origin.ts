/** An empty list allows every origin in Sandbox. Source: link-lifecycle 2.4, connect 8. */
export const listsOrigin = (allowed: readonly string[], origin: string): boolean =>
  allowed.length === 0 || allowed.includes(origin);
