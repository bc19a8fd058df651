import { Inject, Injectable } from '@nestjs/common';
import type { SandboxResult, SandboxCommand } from '../../../../domain/sandbox/sandbox-request.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import { SandboxRequestRepository } from '../../../../prisma/work/sandbox/sandbox-request.repository.js';
import { unavailable, type SandboxWorkflows } from './sandbox-workflows.js';
import { SANDBOX_WORKFLOWS } from './sandbox-workflows.token.js';

/**
 * A fault may delay the bank's responses by up to two minutes, but not those to sandbox commands.
 */
const WITHIN_MS = 30_000;

/**
 * Sends a command to a sandbox provider through a workflow, because this process connects to no
 * bank.
 */
@Injectable()
export class SendSandboxCommand {
  constructor(
    private readonly requests: SandboxRequestRepository,
    @Inject(SANDBOX_WORKFLOWS) private readonly workflows: SandboxWorkflows,
  ) {}

  /** @throws ApiError `api_error.unavailable` when there is no response within the time limit */
  async send(tenant: Tenant, command: SandboxCommand): Promise<SandboxResult> {
    const requestId = await this.requests.create(tenant, command);
    let answer: unknown;
    try {
      await this.workflows.run(requestId, { kind: 'request' }, WITHIN_MS);
    } finally {
      answer = await this.requests.take(requestId);
    }
    if (answer === undefined)
      throw unavailable('The sandbox bank did not respond to a command in time');
    // Only the worker writes it.
    return answer as SandboxResult;
  }
}
