import { Module, type DynamicModule } from '@nestjs/common';
import { STOP_ANNOUNCED, STOPPING } from '../http/stopping.js';

@Module({})
export class StoppingModule {
  static forRoot(stopping: AbortSignal, stopAnnounced: AbortSignal): DynamicModule {
    return {
      module: StoppingModule,
      global: true,
      providers: [
        { provide: STOPPING, useValue: stopping },
        { provide: STOP_ANNOUNCED, useValue: stopAnnounced },
      ],
      exports: [STOPPING, STOP_ANNOUNCED],
    };
  }
}
