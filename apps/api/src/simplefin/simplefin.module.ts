import { Module } from '@nestjs/common';
import { ClaimToken } from './claim-token.js';
import { ShareAccounts } from './share-accounts.js';
import { SimplefinChecks } from './simplefin-checks.js';
import { SimplefinController } from './simplefin.controller.js';

/** The SimpleFIN server. It knows only services of the API and stored data. */
@Module({
  controllers: [SimplefinController],
  providers: [ClaimToken, ShareAccounts, SimplefinChecks],
})
export class SimplefinModule {}
