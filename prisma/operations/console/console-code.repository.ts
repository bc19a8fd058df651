import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Context } from '../../base/context.js';
import type { ConsoleGrant } from './console-grant.js';

const CODE_BYTES = 32;
export const CODE_TTL_MS = 600_000;
/** Expired codes are removed when another one is made. */
const REMOVED_AT_ONCE = 100;

/** The person that a one-time link signs in. */
export interface CodeHolder extends ConsoleGrant {
  /** In words of the operator who made the link. */
  label: string;
}

/** One-time links to the console: 256 random bits, stored as SHA-256, for ten minutes. */
export class ConsoleCodeRepository {
  constructor(private readonly ctx: Pick<Context, 'database' | 'clock' | 'random'>) {}

  /** @returns the code; only this answer has it */
  async create({ role, appId, isReadOnly, label }: CodeHolder): Promise<string> {
    const code = Buffer.from(this.ctx.random(CODE_BYTES)).toString('base64url');
    const now = this.ctx.clock();
    const { prisma, pool } = this.ctx.database;
    await pool.query(
      `DELETE FROM console_codes WHERE code_hash IN (
         SELECT code_hash FROM console_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [now, REMOVED_AT_ONCE],
    );
    await prisma.consoleCode.create({
      data: {
        codeHash: bytesColumn(sha256(code)),
        role,
        appId,
        isReadOnly,
        label,
        createdAt: now,
        expiresAt: new Date(now.getTime() + CODE_TTL_MS),
      },
    });
    return code;
  }

  /** Shows whom a code would sign in, without using it; null = unknown, used or expired. */
  async peek(code: string): Promise<CodeHolder | null> {
    const row = await this.ctx.database.prisma.consoleCode.findUnique({
      where: { codeHash: bytesColumn(sha256(code)) },
    });
    const isUsable = row !== null && row.usedAt === null && row.expiresAt > this.ctx.clock();
    return isUsable ? holderOf(row) : null;
  }

  /** Uses a code, which only one of several concurrent calls can do; null = unknown, used or expired. */
  async use(code: string): Promise<CodeHolder | null> {
    const now = this.ctx.clock();
    const [row] = await this.ctx.database.prisma.consoleCode.updateManyAndReturn({
      where: { codeHash: bytesColumn(sha256(code)), usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    });
    return row === undefined ? null : holderOf(row);
  }
}

function holderOf({
  role,
  appId,
  isReadOnly,
  label,
}: {
  role: string;
  appId: string | null;
  isReadOnly: boolean;
  label: string;
}): CodeHolder {
  return { role: role === 'operator' ? 'operator' : 'app', appId, isReadOnly, label };
}
