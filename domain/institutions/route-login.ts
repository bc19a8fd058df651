/**
 * The kinds of login of a route. `redirect` and `page` leave Connect and return to the redirect_uri
 * of the session; `none` needs no login.
 */
export const ROUTE_LOGINS = ['form', 'redirect', 'page', 'none'] as const;
export type RouteLogin = (typeof ROUTE_LOGINS)[number];

/** An institution's kind of login, as the API presents it. */
export type InstitutionLogin = 'credentials' | 'oauth' | 'none';

const PRESENTED: Readonly<Record<RouteLogin, InstitutionLogin>> = {
  form: 'credentials',
  redirect: 'oauth',
  page: 'oauth',
  none: 'none',
};

export function presentedLogin(login: RouteLogin): InstitutionLogin {
  return PRESENTED[login];
}

/** Such a route is offered only to sessions with a redirect_uri. Source: link-lifecycle 2.1. */
export function leavesConnect(login: RouteLogin): boolean {
  return PRESENTED[login] === 'oauth';
}
