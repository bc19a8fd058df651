import { randomInt } from 'node:crypto';
import { Controller, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { parseIsoDuration } from '../../../../domain/sandbox/iso-duration.js';
import { apiTimestamp } from '../../../../domain/api/timestamps.js';
import { DEFAULT_WORLD } from '../../../../prisma/worlds/world-clock.js';
import { WorldRepository, type WorldRecord } from '../../../../prisma/worlds/world.repository.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { text } from '../schemas/text.schema.js';
import { worldDocs } from './world.docs.js';
import { FindWorld } from './find-world.js';
import { moment } from '../schemas/timestamp.schema.js';
import type { SandboxWorkflows } from './sandbox-workflows.js';
import { SANDBOX_WORKFLOWS } from './sandbox-workflows.token.js';

const MAX_STEP_DAYS = 366;
const DAY_MS = 86_400_000;
/** link-lifecycle 14: an advance responds within 60 s. */
const ADVANCE_WITHIN_MS = 58_000;
/**
 * The app must delete a world to create another, while simulated days are freed as advances
 * proceed.
 */
const WORLDS_RETRY_SECONDS = 60;
const DAYS_RETRY_SECONDS = 5;

export const CreateWorldRequest = {
  body: z.object({
    name: text(0, 64).default('').describe('A name for people.'),
    start: moment.optional(),
    seed: z
      .number()
      .int()
      .min(Number.MIN_SAFE_INTEGER)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Makes its data repeatable; missing = a random one.'),
    enforce_refresh_limits: z
      .boolean()
      .default(false)
      .describe('Refreshes on demand have the limits of Live.'),
  }),
};
export const AdvanceWorldRequest = {
  body: z
    .object({
      by: z
        .string()
        .transform(parseIsoDuration)
        .refine((ms) => ms !== null, 'Must be an ISO 8601 duration, such as PT6H or P1D.')
        .meta({
          openapi: {
            type: 'string',
            format: 'duration',
            description: 'An ISO 8601 duration of at most 366 days, such as PT6H or P1D.',
          },
        })
        .optional(),
      to: moment.optional(),
    })
    .refine(({ by, to }) => (by === undefined) !== (to === undefined), 'Specify either by or to.')
    .describe('Either `by` or `to`: a step forward of at most 366 days.'),
};

/** Source: link-lifecycle 14, Worlds. */
@Controller()
export class WorldController {
  constructor(
    private readonly worlds: WorldRepository,
    private readonly world: FindWorld,
    @Inject(SANDBOX_WORKFLOWS) private readonly workflows: SandboxWorkflows,
  ) {}

  @Route('POST /sandbox/worlds', {
    docs: worldDocs.create,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: CreateWorldRequest,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: InputOf<typeof CreateWorldRequest>,
  ) {
    const seed = BigInt(body.seed ?? randomInt(2 ** 31));
    const { name, start = new Date(), enforce_refresh_limits: enforceRefreshLimits } = body;
    const world = await this.worlds.create(caller.appId, {
      name,
      seed,
      start,
      enforceRefreshLimits,
    });
    if (world === null)
      throw overQuota(
        'This app has reached its limit of worlds. Delete one first.',
        WORLDS_RETRY_SECONDS,
      );
    return presentWorld(world);
  }

  @Route('GET /sandbox/worlds', {
    reads: { by: 'stored', rows: '`SANDBOX_WORLDS_PER_APP`' },
    docs: worldDocs.list,
    scope: 'sandbox:write',
    sandboxOnly: true,
  })
  async list(@CurrentCaller() caller: Caller) {
    return { worlds: (await this.worlds.list(caller.appId)).map(presentWorld) };
  }

  @Route('GET /sandbox/worlds/:world_id', {
    reads: { by: 'object' },
    docs: worldDocs.show,
    scope: 'sandbox:write',
    sandboxOnly: true,
  })
  async show(@CurrentCaller() caller: Caller, @Param('world_id') worldId: string) {
    return presentWorld(await this.world.find(caller, worldId));
  }

  @Route('POST /sandbox/worlds/:world_id/advance', {
    docs: worldDocs.advance,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: AdvanceWorldRequest,
  })
  async advance(
    @CurrentCaller() caller: Caller,
    @Param('world_id') worldId: string,
    @Input() { body }: InputOf<typeof AdvanceWorldRequest>,
  ) {
    const { appId } = caller;
    const { now } = await this.world.find(caller, worldId);
    if (worldId === DEFAULT_WORLD) throw refusedWorld('The default world follows real time.');
    const field = body.by === undefined ? 'to' : 'by';
    const to = body.to ?? new Date(now.getTime() + (body.by ?? 0));
    if (!(to > now && to.getTime() - now.getTime() <= MAX_STEP_DAYS * DAY_MS)) {
      throw validationFailed([
        invalid(['body', field], `A step must be longer than 0 and at most ${MAX_STEP_DAYS} days.`),
      ]);
    }
    const aimed = await this.worlds.setTarget({ appId, worldId }, to);
    if (aimed === 'no_world') throw new ApiError('sandbox_error.not_found');
    if (aimed === 'over_quota')
      throw overQuota(
        'The worlds of this app are advancing by too many days at once.',
        DAYS_RETRY_SECONDS,
      );
    const { ran, settled } = await this.continueAdvance({ appId, worldId });
    return { world: presentWorld(await this.world.find(caller, worldId)), ran, settled };
  }

  /**
   * Each world has one workflow: a second call joins it and extends the target, unless it was just
   * ending.
   */
  private async continueAdvance(world: { appId: string; worldId: string }) {
    const until = Date.now() + ADVANCE_WITHIN_MS;
    for (;;) {
      const outcome = await this.workflows.run(
        world.worldId,
        { kind: 'advance', ...world },
        Math.max(1, until - Date.now()),
      );
      const standing = await this.worlds.ran(world);
      if (standing.settled || outcome === 'going_on') return standing;
    }
  }

  @Route('DELETE /sandbox/worlds/:world_id', {
    docs: worldDocs.erase,
    scope: 'sandbox:write',
    sandboxOnly: true,
    status: 204,
  })
  async erase(@CurrentCaller() caller: Caller, @Param('world_id') worldId: string): Promise<void> {
    await this.world.find(caller, worldId);
    if (worldId === DEFAULT_WORLD) throw refusedWorld('The default world cannot be deleted.');
    await this.worlds.erase({ appId: caller.appId, worldId });
  }
}

function refusedWorld(message: string): ApiError {
  return validationFailed([invalid(['path', 'world_id'], message)]);
}

/** link-lifecycle 14: world quotas respond like any other limit. */
function overQuota(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError('api_error.rate_limit_exceeded', { message, retryAfterSeconds });
}

function presentWorld({ worldId, name, now, seed, enforceRefreshLimits, createdAt }: WorldRecord) {
  return {
    world_id: worldId,
    name,
    now: apiTimestamp(now),
    seed: Number(seed),
    enforce_refresh_limits: enforceRefreshLimits,
    created_at: apiTimestamp(createdAt),
  };
}
