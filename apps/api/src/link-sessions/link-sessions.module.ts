import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { SandboxModule } from '../sandbox/sandbox.module.js';
import { CheckLinkSession } from './check-link-session.js';
import { CreateLinkSession } from './create-link-session.js';
import { LinkSessionController } from './link-session.controller.js';
import { SessionInstitution } from './session-institution.js';

@Module({
  imports: [LinksModule, SandboxModule],
  controllers: [LinkSessionController],
  providers: [SessionInstitution, CheckLinkSession, CreateLinkSession],
  exports: [SessionInstitution, CreateLinkSession],
})
export class LinkSessionsModule {}
