import { Module } from '@nestjs/common';
import { ProviderWebhookController } from './provider-webhook.controller.js';

@Module({ controllers: [ProviderWebhookController] })
export class ProviderWebhooksModule {}
