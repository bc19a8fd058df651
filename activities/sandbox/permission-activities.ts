import type {
  EndPermissionRepository,
  PermissionToEnd,
} from '../../prisma/sources/permissions/end-permission.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import { unmanagedAccess } from '../unmanaged-access.js';

export type { PermissionToEnd } from '../../prisma/sources/permissions/end-permission.repository.js';

export interface PermissionActivityDeps {
  permissions: Pick<EndPermissionRepository, 'access' | 'settle'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

/** Changes a permission at its bank outside of linking and fetching. */
export function createPermissionActivities({ permissions, providers }: PermissionActivityDeps) {
  return {
    /** Makes a sandbox bank refuse the permission. Idempotent. */
    async endPermission(permission: PermissionToEnd): Promise<void> {
      const { sandbox } = providers.get(permission.provider);
      await withHeartbeats(async (signal) => {
        const access = await permissions.access(permission);
        if (access !== null)
          await sandbox?.expirePermission(unmanagedAccess({ ...access, signal }));
      });
      await permissions.settle(permission);
    },

    /** The bank cannot be notified: drops the request, or it would be retried forever. */
    async forgetEndOfPermission(permission: PermissionToEnd): Promise<void> {
      await permissions.settle(permission);
    },
  };
}

export type PermissionActivities = ReturnType<typeof createPermissionActivities>;
