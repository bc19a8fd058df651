import { Module } from '@nestjs/common';
import { ProviderKeysController } from './provider-keys.controller.js';

@Module({ controllers: [ProviderKeysController] })
export class ProviderKeysModule {}
