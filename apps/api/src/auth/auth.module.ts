import { Module } from '@nestjs/common';
import { TOKEN_CACHE_MS } from '../../../../prisma/applications/application.repository.js';
import { Authenticator } from './authenticator.js';
import { IssueToken } from './issue-token.js';
import { TokenCache } from './token-cache.js';
import { TokenController } from './token.controller.js';
import { VerifyClient } from './verify-client.js';

@Module({
  controllers: [TokenController],
  providers: [
    Authenticator,
    VerifyClient,
    IssueToken,
    {
      provide: TokenCache,
      useFactory: () => new TokenCache({ lifetimeMs: TOKEN_CACHE_MS, maxEntries: 5_000 }),
    },
  ],
  exports: [Authenticator, VerifyClient, TokenCache],
})
export class AuthModule {}
