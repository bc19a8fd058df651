import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { TransactionsController } from './transactions.controller.js';

@Module({ imports: [LinksModule], controllers: [TransactionsController] })
export class TransactionsModule {}
