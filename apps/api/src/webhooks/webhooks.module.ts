import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { KeySetController } from './key-set.controller.js';
import { SendTestEvent } from './send-test-event.js';
import { WebhookEventController } from './webhook-event.controller.js';
import { WebhookTestController } from './webhook-test.controller.js';

@Module({
  imports: [LinksModule],
  controllers: [KeySetController, WebhookEventController, WebhookTestController],
  providers: [SendTestEvent],
})
export class WebhooksModule {}
