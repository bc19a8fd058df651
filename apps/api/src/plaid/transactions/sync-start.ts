import { Injectable } from '@nestjs/common';
import { ItemRepository } from '../../../../../prisma/plaid/item.repository.js';
import type { Item } from '../access/find-item.js';

/** A client reads an Item's changes for the first time. Source: plaid-compat 6.3. */
@Injectable()
export class SyncStart {
  constructor(private readonly items: ItemRepository) {}

  /** From now on it hears of changes. `days`: how much history it wants, where nothing was asked for or fetched before. */
  async begin({ link, syncStartedAt, historyDays }: Item, days: number | null): Promise<void> {
    const product = link.products.find((granted) => granted.product === 'transactions');
    const wanted = product?.lastAttemptedAt === null && historyDays === null ? days : null;
    if (syncStartedAt === null || wanted !== null) await this.items.startSync(link.pk, wanted);
  }
}
