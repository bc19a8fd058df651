import { Injectable } from '@nestjs/common';
import { ExchangeRepository } from '../../../../../prisma/linking/exchange.repository.js';
import { ItemRepository } from '../../../../../prisma/plaid/item.repository.js';
import type { Caller } from '../../http/request-state.js';

/** Access tokens of the compatibility layer. Source: plaid-compat 2. */
@Injectable()
export class ItemTokens {
  constructor(
    private readonly items: ItemRepository,
    private readonly exchanges: ExchangeRepository,
  ) {}

  /** The link a public token becomes, or the one it adds an access token to; null for a token that is of no use. */
  exchange(
    caller: Caller,
    publicToken: string,
  ): Promise<{ linkId: string; accessToken: string } | null> {
    return this.exchanges.exchangeForItem(caller, publicToken);
  }

  /** A new token, and the end of the given one; null when that had ended already. */
  replace(caller: Caller, token: string): Promise<string | null> {
    return this.items.replaceToken(caller, token);
  }
}
