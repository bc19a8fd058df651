import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { HoldingsController } from './holdings.controller.js';

@Module({
  imports: [LinksModule],
  controllers: [HoldingsController],
})
export class InvestmentsModule {}
