import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { AccountsController } from './accounts.controller.js';

@Module({ imports: [LinksModule], controllers: [AccountsController] })
export class AccountsModule {}
