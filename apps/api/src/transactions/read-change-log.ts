import { Injectable } from '@nestjs/common';
import type { CursorMac } from '../../../../domain/api/cursor-text.js';
import {
  ChangeLogRepository,
  type CurrentQuery,
  type CurrentTransaction,
  type LogPart,
  type LogQuery,
} from '../../../../prisma/transactions/change-log.repository.js';
import { CursorKeys } from '../../../../prisma/keys/cursor-key.repository.js';

/**
 * The change log of links and the keys that sign its cursors, for callers that present it in other
 * formats than the native sync.
 */
@Injectable()
export class ChangeLog {
  constructor(
    private readonly log: ChangeLogRepository,
    private readonly cursorKeys: CursorKeys,
  ) {}

  /** Null = the link no longer exists. */
  read(query: LogQuery): Promise<LogPart | null> {
    return this.log.read(query);
  }

  bodies(linkPk: bigint, positions: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
    return this.log.bodies(linkPk, positions);
  }

  current(query: CurrentQuery): Promise<{ total: number; transactions: CurrentTransaction[] }> {
    return this.log.current(query);
  }

  get currentKeyId(): number {
    return this.cursorKeys.currentKeyId;
  }

  get mac(): CursorMac {
    return this.cursorKeys.mac;
  }
}
