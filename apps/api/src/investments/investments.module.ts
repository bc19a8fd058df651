import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { HoldingsController } from './holdings.controller.js';
import { InvestmentTransactionsController } from './investment-transactions.controller.js';

@Module({
  imports: [LinksModule],
  controllers: [HoldingsController, InvestmentTransactionsController],
})
export class InvestmentsModule {}
