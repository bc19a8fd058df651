import { Module, type DynamicModule } from '@nestjs/common';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { repositories } from './repositories.js';

/** Every repository of the API, available to all modules. */
@Module({})
export class RepositoriesModule {
  static forRoot(settings: ApiSettings): DynamicModule {
    const providers = repositories(settings);
    return {
      module: RepositoriesModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
