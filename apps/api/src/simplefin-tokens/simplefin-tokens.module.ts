import { Module } from '@nestjs/common';
import { SimplefinTokensController } from './simplefin-tokens.controller.js';

@Module({ controllers: [SimplefinTokensController] })
export class SimplefinTokensModule {}
