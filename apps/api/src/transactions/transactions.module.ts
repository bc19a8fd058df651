import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { ChangeLog } from './read-change-log.js';
import { TransactionsController } from './transactions.controller.js';

@Module({
  imports: [LinksModule],
  controllers: [TransactionsController],
  providers: [ChangeLog],
  exports: [ChangeLog],
})
export class TransactionsModule {}
