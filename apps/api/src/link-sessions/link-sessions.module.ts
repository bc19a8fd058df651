import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { SandboxModule } from '../sandbox/sandbox.module.js';
import { CreateLinkSession } from './create-link-session.js';
import { LinkSessionController } from './link-session.controller.js';
import { PlanLinkSession } from './plan-link-session.js';
import { ReadLinkSessions } from './read-link-sessions.js';
import { ResolveLinkSession } from './resolve-link-session.js';

@Module({
  imports: [LinksModule, SandboxModule],
  controllers: [LinkSessionController],
  providers: [ResolveLinkSession, PlanLinkSession, CreateLinkSession, ReadLinkSessions],
  exports: [ResolveLinkSession, CreateLinkSession],
})
export class LinkSessionsModule {}
