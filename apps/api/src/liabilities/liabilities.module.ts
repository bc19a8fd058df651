import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { LiabilitiesController } from './liabilities.controller.js';

@Module({ imports: [LinksModule], controllers: [LiabilitiesController] })
export class LiabilitiesModule {}
