import { Module, type DynamicModule } from '@nestjs/common';
import type { ProcessName } from './settings-table.js';
import type { SettingsOf } from './settings.js';

/** Injection token of the settings: `@Inject(SETTINGS) settings: ApiSettings`. */
export const SETTINGS = Symbol('settings');

@Module({})
export class SettingsModule {
  static forRoot(settings: SettingsOf<ProcessName>): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
