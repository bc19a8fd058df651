/** The app alone in a window, without an SDK. Source: connect 2. */
export function hostedPage(connectBaseUrl: string): string {
  return `${connectBaseUrl}/hosted`;
}

/** Where the holder of a token opens it there; the fragment never leaves the browser (connect 12, Tokens). */
export function hostedLink(connectBaseUrl: string, token: string): string {
  return `${hostedPage(connectBaseUrl)}#token=${token}`;
}
