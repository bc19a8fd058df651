import type { Provider } from '@nestjs/common';
import type { Context } from '../../../prisma/context.js';
import { AccessTokenRepository } from '../../../prisma/repositories/access-token.repository.js';
import { AccountRepository } from '../../../prisma/repositories/account.repository.js';
import { ApplicationRepository } from '../../../prisma/repositories/application.repository.js';
import { CursorKeys } from '../../../prisma/repositories/cursor-key.repository.js';
import { ExchangeRepository } from '../../../prisma/repositories/exchange.repository.js';
import { InstitutionRepository } from '../../../prisma/repositories/institution.repository.js';
import { LinkSessionRepository } from '../../../prisma/repositories/link-session.repository.js';
import { LinkRepository } from '../../../prisma/repositories/link.repository.js';
import { SigningKeys } from '../../../prisma/repositories/signing-key.repository.js';
import { TransactionReader } from '../../../prisma/repositories/transaction-reader.js';
import type { ApiSettings } from '../../platform/src/config/settings.js';

/** The repositories the calls read and write through. */
export function repositoriesOf(context: Context, settings: ApiSettings): Provider[] {
  const lifetimes = { unopenedMs: settings.linkSessionTtl, idleMs: settings.connectIdle, totalMs: settings.connectTotal };
  return [
    provide(AccessTokenRepository, new AccessTokenRepository(context)),
    provide(AccountRepository, new AccountRepository(context)),
    provide(ApplicationRepository, new ApplicationRepository(context)),
    provide(CursorKeys, new CursorKeys(context)),
    provide(ExchangeRepository, new ExchangeRepository(context, { exchangeWindowMs: settings.exchangeWindow })),
    provide(InstitutionRepository, new InstitutionRepository(context)),
    provide(LinkRepository, new LinkRepository(context)),
    provide(LinkSessionRepository, new LinkSessionRepository(context, lifetimes)),
    provide(SigningKeys, new SigningKeys(context)),
    provide(TransactionReader, new TransactionReader(context)),
  ];
}

function provide<T>(type: new (...args: never[]) => T, instance: T): Provider {
  return { provide: type, useValue: instance };
}
