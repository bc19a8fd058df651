/** The names of our own headers, which begin with a configured word. Source: native-api 1. */
export interface HeaderNames {
  requestId: string;
  version: string;
}

export function headerNames(prefix: string): HeaderNames {
  return { requestId: `${prefix}-request-id`, version: `${prefix}-version` };
}
