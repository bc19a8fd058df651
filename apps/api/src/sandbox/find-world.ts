import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import { DEFAULT_WORLD } from '../../../../prisma/worlds/world-clock.js';
import { WorldRepository, type WorldRecord } from '../../../../prisma/worlds/world.repository.js';

/** Finds a world of an app. Source: link-lifecycle 14. */
@Injectable()
export class FindWorld {
  constructor(private readonly worlds: WorldRepository) {}

  /** @throws ApiError `sandbox_error.not_found` */
  async find({ appId }: Tenant, worldId: string = DEFAULT_WORLD): Promise<WorldRecord> {
    const world = await this.worlds.find(appId, worldId);
    if (world === null) throw new ApiError('sandbox_error.not_found');
    return world;
  }
}
