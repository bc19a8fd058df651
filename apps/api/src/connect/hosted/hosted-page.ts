/** The page that runs Connect in a window of its own, without an SDK. Source: connect 2. */
export function hostedPage(connectBaseUrl: string): string {
  return `${connectBaseUrl}/hosted`;
}

/**
 * The address at which the holder of a token opens that page; the fragment never leaves the browser
 * (connect 12, Tokens).
 */
export function hostedLink(connectBaseUrl: string, token: string): string {
  return `${hostedPage(connectBaseUrl)}#token=${token}`;
}
