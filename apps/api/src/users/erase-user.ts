import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import {
  UserErasureRepository,
  type EndlessPermission,
} from '../../../../prisma/views/users/user-erasure.repository.js';

/**
 * Records the request to erase a customer user; the worker carries it out. Source: native-api 3.7.
 */
@Injectable()
export class EraseUser {
  constructor(private readonly erasures: UserErasureRepository) {}

  request(tenant: Tenant, userId: string): Promise<EndlessPermission[]> {
    return this.erasures.request(tenant, userId);
  }
}
