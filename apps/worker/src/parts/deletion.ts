import {
  createDeletionActivities,
  createRevocationActivities,
} from '../../../../activities/deletion/deletion-activities.js';
import { createErasureActivities } from '../../../../activities/deletion/erasure-activities.js';
import { createPermissionActivities } from '../../../../activities/sandbox/permission-activities.js';
import { EndPermissionRepository } from '../../../../prisma/sources/permissions/end-permission.repository.js';
import { RevocationRepository } from '../../../../prisma/sources/permissions/revocation.repository.js';
import { UserErasureRepository } from '../../../../prisma/views/users/user-erasure.repository.js';
import type { BankAccess } from './bank-access.js';

/** Deleted links and erased users, and the permissions at banks that end with them. */
export function createDeletionParts({ ctx, providers }: BankAccess) {
  const permissions = new EndPermissionRepository(ctx);
  const revocations = new RevocationRepository(ctx);
  const erasures = new UserErasureRepository(ctx);
  const { endPermission, forgetEndOfPermission } = createPermissionActivities({
    permissions,
    providers,
  });
  return {
    permissions,
    revocations,
    erasures,
    databaseActivities: {
      ...createDeletionActivities({ revocations }),
      ...createErasureActivities({ erasures }),
      forgetEndOfPermission,
    },
    bankActivities: { ...createRevocationActivities({ revocations, providers }), endPermission },
  };
}
