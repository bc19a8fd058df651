import { Module } from '@nestjs/common';
import { ChangeLink } from './change-link.js';
import { CheckUpdateLink } from './check-update-link.js';
import { LinkAccess } from './link-access.js';
import { LinkController } from './link.controller.js';
import { RefreshProductsController } from './refresh-products.controller.js';
import { RefreshProducts } from './refresh-products.js';

@Module({
  controllers: [LinkController, RefreshProductsController],
  providers: [LinkAccess, CheckUpdateLink, ChangeLink, RefreshProducts],
  exports: [LinkAccess, ChangeLink, RefreshProducts],
})
export class LinksModule {}
