import { Module } from '@nestjs/common';
import { AvatarController } from './avatar.controller.js';
import { FindInstitutions } from './find-institutions.js';
import { InstitutionController } from './institution.controller.js';

@Module({
  controllers: [AvatarController, InstitutionController],
  providers: [FindInstitutions],
  exports: [FindInstitutions],
})
export class InstitutionsModule {}
