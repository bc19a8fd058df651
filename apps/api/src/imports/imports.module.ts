import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { CheckImport } from './check-import.js';
import { CheckImportedRows } from './check-imported-rows.js';
import { ImportLinks } from './import-links.js';
import { ImportController } from './import.controller.js';

@Module({
  imports: [LinksModule],
  controllers: [ImportController],
  providers: [CheckImport, CheckImportedRows, ImportLinks],
})
export class ImportsModule {}
