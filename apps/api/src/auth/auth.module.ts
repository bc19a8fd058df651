import { Module } from '@nestjs/common';
import type { Context } from '../../../../prisma/base/context.js';
import { OperatorActionRepository } from '../../../../prisma/base/operator-actions/operator-action.repository.js';
import { TOKEN_CACHE_MS } from '../../../../prisma/tenants/applications/change-client.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import { RefusedSignIns } from '../../../platform/src/sign-ins/refused-sign-ins.js';
import { AnonymousCalls } from '../http/anonymous-calls.js';
import { Authenticator } from './authenticator.js';
import { IssueToken } from './issue-token.js';
import { SecretUses } from './secret-uses.js';
import { TokenCache } from './token-cache.js';
import { TokenController } from './token.controller.js';
import { VerifyClient } from './verify-client.js';

@Module({
  controllers: [TokenController],
  providers: [
    AnonymousCalls,
    Authenticator,
    SecretUses,
    VerifyClient,
    IssueToken,
    {
      provide: RefusedSignIns,
      inject: [DATABASE_CONTEXT, LOGGER],
      useFactory: (ctx: Context, logger: Logger) => {
        const actions = new OperatorActionRepository(ctx);
        return new RefusedSignIns({ record: (action) => actions.record(action), logger });
      },
    },
    {
      provide: TokenCache,
      useFactory: () => new TokenCache({ lifetimeMs: TOKEN_CACHE_MS, maxEntries: 5_000 }),
    },
  ],
  exports: [Authenticator, VerifyClient, TokenCache],
})
export class AuthModule {}
