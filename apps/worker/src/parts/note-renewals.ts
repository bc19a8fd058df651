import type { NotedRenewal } from '../../../../activities/linking/store-login-outcome.js';
import type { RouteRenewalRepository } from '../../../../prisma/sources/routing/route-renewal.repository.js';
import type { Logger } from '../../../platform/src/logging/logger.js';

/** Stores for `providers check` whether logins can be renewed, and logs each that cannot. */
export const noteRenewals =
  (renewals: Pick<RouteRenewalRepository, 'note'>, logger: Logger) =>
  async (login: NotedRenewal): Promise<void> => {
    const { provider, remoteId, isRenewable } = login;
    // Log: see [FDX](../live/fdx.md).
    if (!isRenewable) logger.warn({ provider, remote_id: remoteId }, 'login.not_renewable');
    await renewals.note(login);
  };
