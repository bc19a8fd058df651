import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { RecurringController } from './recurring.controller.js';
import { RecurringStreams } from './recurring-streams.js';

@Module({
  imports: [LinksModule],
  controllers: [RecurringController],
  providers: [RecurringStreams],
  exports: [RecurringStreams],
})
export class RecurringModule {}
