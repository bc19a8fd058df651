/**
 * The names of this service's own headers, which start with a configured prefix. Source: native-api
 * 1.
 */
export interface HeaderNames {
  requestId: string;
  version: string;
}

export function headerNames(prefix: string): HeaderNames {
  return { requestId: `${prefix}-request-id`, version: `${prefix}-version` };
}
