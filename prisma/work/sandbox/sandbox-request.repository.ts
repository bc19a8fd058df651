import type { Tenant } from '../../../domain/api/environment.js';
import { makeId } from '../../../domain/api/ids.js';
import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { SealContext } from '../../base/sealing/sealer.js';

/**
 * The commands that calls of /sandbox/… send to a sandbox provider, and their results. Both are
 * sealed rows, so the workflow that runs a command carries only its id.
 */
export class SandboxRequestRepository {
  constructor(private readonly ctx: Context) {}

  async create({ appId, environment }: Tenant, input: unknown): Promise<string> {
    const requestId = makeId('sandboxRequest', this.ctx.random);
    await this.ctx.database.transaction(async (tx) => {
      const sealedInput = bytesColumn(
        await this.ctx.sealer.sealUnder(
          tx,
          owner(requestId),
          place(requestId, 'sealed_input'),
          encode(input),
        ),
      );
      await tx.sandboxRequest.create({
        data: { requestId, appId, environment, sealedInput, createdAt: this.ctx.clock() },
      });
    });
    return requestId;
  }

  /** The sender and the command; null = the caller no longer waits for it. */
  async input(requestId: string): Promise<{ appId: string; input: unknown } | null> {
    const { prisma } = this.ctx.database;
    const row = await prisma.sandboxRequest.findUnique({ where: { requestId } });
    if (row === null) return null;
    return {
      appId: row.appId,
      input: decode(
        await this.ctx.sealer.openUnder(
          prisma,
          owner(requestId),
          place(requestId, 'sealed_input'),
          row.sealedInput,
        ),
      ),
    };
  }

  async answer(requestId: string, output: unknown): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const sealedOutput = bytesColumn(
        await this.ctx.sealer.sealUnder(
          tx,
          owner(requestId),
          place(requestId, 'sealed_output'),
          encode(output),
        ),
      );
      await tx.sandboxRequest.updateMany({ where: { requestId }, data: { sealedOutput } });
    });
  }

  /** The result; undefined = none yet. Deletes the request. */
  async take(requestId: string): Promise<unknown> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await tx.sandboxRequest.findUnique({ where: { requestId } });
      const output =
        row === null || row.sealedOutput === null
          ? undefined
          : decode(
              await this.ctx.sealer.openUnder(
                tx,
                owner(requestId),
                place(requestId, 'sealed_output'),
                row.sealedOutput,
              ),
            );
      await tx.sandboxRequest.deleteMany({ where: { requestId } });
      await tx.dataKey.deleteMany({ where: { owner: owner(requestId) } });
      return output;
    });
  }

  /** Removes abandoned requests. Returns their number. */
  async sweep(before: Date, limit: number): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const left = await tx.sandboxRequest.findMany({
        where: { createdAt: { lt: before } },
        select: { requestId: true },
        take: limit,
      });
      const requestIds = left.map(({ requestId }) => requestId);
      await tx.dataKey.deleteMany({ where: { owner: { in: requestIds.map(owner) } } });
      await tx.sandboxRequest.deleteMany({ where: { requestId: { in: requestIds } } });
      return requestIds.length;
    });
  }
}

function owner(requestId: string): string {
  return `sandbox/${requestId}`;
}

function place(requestId: string, column: string): SealContext {
  return { table: 'sandbox_requests', column, row: requestId };
}

function encode(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value ?? null), 'utf8');
}

function decode(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8')) as unknown;
}
