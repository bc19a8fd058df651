import { Module } from '@nestjs/common';
import { EraseUser } from './erase-user.js';
import { UserAccounts } from './user-accounts.js';
import { UserLinks } from './user-links.js';
import { UsersController } from './users.controller.js';

@Module({
  controllers: [UsersController],
  providers: [UserLinks, UserAccounts, EraseUser],
  exports: [UserLinks],
})
export class UsersModule {}
