import type { InstitutionDefinition } from '../institutions/institutions.js';
import type { Route } from '../http/route.js';
import { announceLogin, type LoginAnnouncementParts } from '../logins/announce-login.js';
import type { LoginDesk } from '../logins/login-desk.js';

export function createLoginRoute({
  desk,
  ...parts
}: LoginAnnouncementParts & { desk: LoginDesk }): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/logins',
    async handle(request) {
      const { login, institution } = await announceLogin(parts, request);
      return {
        status: 201,
        body: isOnPages(institution)
          ? { login_id: login.loginId, status: 'ON_PAGES' }
          : await desk.show(login),
      };
    },
  };
}

/**
 * A browser knows such a login by its id, so the id alone must not permit reading or changing
 * anything.
 */
export function isOnPages(institution: InstitutionDefinition | null): boolean {
  return institution?.login === 'pages';
}
