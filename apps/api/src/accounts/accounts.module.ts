import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { AccountsController } from './accounts.controller.js';
import { LinkAccounts } from './link-accounts.js';

@Module({
  imports: [LinksModule],
  controllers: [AccountsController],
  providers: [LinkAccounts],
  exports: [LinkAccounts],
})
export class AccountsModule {}
