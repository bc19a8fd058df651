import { Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { WorldRepository } from '../../../../prisma/worlds/world.repository.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { faultKind, faultOperation } from '../openapi/models/sandbox.model.js';
import { text } from '../schemas/text.schema.js';
import { faultDocs } from './fault.docs.js';
import { SendSandboxCommand } from './send-sandbox-command.js';
import { FindWorld } from './find-world.js';

const MAX_USES = 1_000;
const MAX_DELAY_SECONDS = 120;
const MAX_RETRY_AFTER_SECONDS = 86_400;
const DEFAULT_RETRY_AFTER_SECONDS = 60;

/** Source: link-lifecycle 14, Faults. */
export const CreateFaultRequest = {
  body: z
    .object({
      operation: faultOperation.default('any'),
      kind: faultKind,
      count: z
        .number()
        .int()
        .min(1)
        .max(MAX_USES)
        .nullable()
        .default(1)
        .describe('The number of calls to hit; null = until it is deleted.'),
      delay_seconds: z
        .number()
        .min(0)
        .max(MAX_DELAY_SECONDS)
        .default(0)
        .describe('More than 0 for `slow`.'),
      retry_after_seconds: z
        .number()
        .int()
        .min(0)
        .max(MAX_RETRY_AFTER_SECONDS)
        .optional()
        .describe('The wait that a `rate_limited` fault asks for.'),
      world_id: text(1, 200)
        .default('default')
        .describe('The world whose links are hit; missing = `default`.'),
    })
    .refine(({ kind, delay_seconds: delay }) => kind !== 'slow' || delay > 0, {
      path: ['delay_seconds'],
      message: 'Must be greater than 0 for slow.',
    }),
};

@Controller()
export class FaultController {
  constructor(
    private readonly commands: SendSandboxCommand,
    private readonly institutions: InstitutionRepository,
    private readonly worlds: WorldRepository,
    private readonly world: FindWorld,
  ) {}

  @Route('POST /sandbox/institutions/:institution_id/faults', {
    docs: faultDocs.create,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: CreateFaultRequest,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('institution_id') institution: string,
    @Input() { body }: InputOf<typeof CreateFaultRequest>,
  ) {
    const institutionId = await this.institutionId(institution);
    const { worldId } = await this.world.find(caller, body.world_id);
    const answer = await this.commands.send(caller, {
      kind: 'create_fault',
      institutionId,
      worldId,
      fault: {
        operation: body.operation,
        kind: body.kind,
        count: body.count,
        delaySeconds: body.delay_seconds,
        retryAfterSeconds:
          body.kind === 'rate_limited'
            ? (body.retry_after_seconds ?? DEFAULT_RETRY_AFTER_SECONDS)
            : null,
      },
    });
    if (answer.kind !== 'fault') throw new ApiError('institution_error.not_found');
    return answer.fault;
  }

  @Route('GET /sandbox/institutions/:institution_id/faults', {
    reads: {
      by: 'stored',
      rows: 'the faults of an institution in `SANDBOX_WORLDS_PER_APP` worlds',
    },
    docs: faultDocs.list,
    scope: 'sandbox:write',
    sandboxOnly: true,
  })
  async list(@CurrentCaller() caller: Caller, @Param('institution_id') institution: string) {
    const institutionId = await this.institutionId(institution);
    const worldIds = (await this.worlds.list(caller.appId)).map(({ worldId }) => worldId);
    const answer = await this.commands.send(caller, {
      kind: 'list_faults',
      institutionId,
      worldIds,
    });
    return { faults: answer.kind === 'faults' ? answer.faults : [] };
  }

  @Route('DELETE /sandbox/faults/:fault_id', {
    docs: faultDocs.lift,
    scope: 'sandbox:write',
    sandboxOnly: true,
    status: 204,
  })
  async lift(@CurrentCaller() caller: Caller, @Param('fault_id') faultId: string): Promise<void> {
    // Malformed ids are rejected without a call to the bank.
    const answer = FAULT_ID.test(faultId)
      ? await this.commands.send(caller, { kind: 'lift_fault', faultId })
      : { kind: 'not_found' };
    if (answer.kind === 'not_found') throw new ApiError('sandbox_error.not_found');
  }

  private async institutionId(wanted: string): Promise<string> {
    const institution = await this.institutions.find(['sandbox'], wanted);
    if (institution === null) throw new ApiError('institution_error.not_found');
    return institution.institutionId;
  }
}

const FAULT_ID = /^flt_\w{1,60}$/;
