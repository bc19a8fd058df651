import { Module, type DynamicModule } from '@nestjs/common';
import { STOPPING } from '../http/stopping.js';

@Module({})
export class StoppingModule {
  static forRoot(stopping: AbortSignal): DynamicModule {
    return {
      module: StoppingModule,
      global: true,
      providers: [{ provide: STOPPING, useValue: stopping }],
      exports: [STOPPING],
    };
  }
}
