import { Module } from '@nestjs/common';
import type { TemporalClient } from '../../../platform/src/temporal/temporal-client.js';
import { TEMPORAL_CLIENT } from '../../../platform/src/temporal/temporal.module.js';
import { STOPPING } from '../http/stopping.js';
import { LinksModule } from '../links/links.module.js';
import { CreateSandboxLink } from './create-sandbox-link.js';
import { ExpireAuth } from './expire-auth.js';
import { FaultController } from './fault.controller.js';
import { FindWorld } from './find-world.js';
import { RunSandboxScript } from './run-sandbox-script.js';
import { SandboxLinkController } from './sandbox-link.controller.js';
import { TemporalSandboxWorkflows } from './sandbox-workflows.js';
import { SANDBOX_WORKFLOWS } from './sandbox-workflows.token.js';
import { SendSandboxCommand } from './send-sandbox-command.js';
import { WaitForFetches } from './wait-for-fetches.js';
import { WorldController } from './world.controller.js';

@Module({
  imports: [LinksModule],
  controllers: [SandboxLinkController, FaultController, WorldController],
  providers: [
    SendSandboxCommand,
    FindWorld,
    WaitForFetches,
    CreateSandboxLink,
    RunSandboxScript,
    ExpireAuth,
    {
      provide: SANDBOX_WORKFLOWS,
      inject: [TEMPORAL_CLIENT, STOPPING],
      useFactory: (temporal: TemporalClient, stopping: AbortSignal) =>
        new TemporalSandboxWorkflows({ temporal, stopping }),
    },
  ],
  exports: [FindWorld, WaitForFetches, CreateSandboxLink, RunSandboxScript],
})
export class SandboxModule {}
