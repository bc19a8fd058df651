import { Module, type DynamicModule } from '@nestjs/common';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import type { TemporalClient } from '../../../../platform/src/temporal/temporal-client.js';
import { TEMPORAL_CLIENT } from '../../../../platform/src/temporal/temporal.module.js';
import { STOPPING } from '../../http/stopping.js';
import { TemporalSessionWorkflows, type SessionWorkflows } from './session-workflows.js';
import { SESSION_WORKFLOWS } from './session-workflows.token.js';

/** Added to the soft reply: the time a workflow has to return the current step once the soft reply has passed. */
const REPLY_MARGIN_MS = 5_000;

@Module({})
export class SessionWorkflowsModule {
  /** @param replacement used in place of Temporal, in tests */
  static forRoot(replacement?: SessionWorkflows): DynamicModule {
    return {
      module: SessionWorkflowsModule,
      global: true,
      providers: [
        {
          provide: SESSION_WORKFLOWS,
          inject: [TEMPORAL_CLIENT, SETTINGS, STOPPING],
          useFactory: (
            temporal: TemporalClient,
            { connectSoftReply }: ApiSettings,
            stopping: AbortSignal,
          ) =>
            replacement ??
            new TemporalSessionWorkflows({
              temporal,
              softReplyMs: connectSoftReply,
              deadlineMs: connectSoftReply + REPLY_MARGIN_MS,
              stopping,
            }),
        },
      ],
      exports: [SESSION_WORKFLOWS],
    };
  }
}
