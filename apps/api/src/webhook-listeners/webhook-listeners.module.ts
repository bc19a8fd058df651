import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { AwaitDeliveries } from './await-deliveries.js';
import { DeliveryEnvelopes } from './delivery-envelopes.js';
import { ListenerAccess } from './listener-access.js';
import { NewEvents } from './new-events.js';
import { WaitingCalls } from './waiting-calls.js';
import { WebhookListenersController } from './webhook-listeners.controller.js';

@Module({
  imports: [AuthModule],
  controllers: [WebhookListenersController],
  providers: [AwaitDeliveries, DeliveryEnvelopes, ListenerAccess, NewEvents, WaitingCalls],
})
export class WebhookListenersModule {}
