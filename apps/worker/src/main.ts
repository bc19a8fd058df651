import '../../platform/src/process/supported-node.js';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { NestLogger } from '../../platform/src/logging/nest-logger.js';
import { loadProcess } from '../../platform/src/process/load-process.js';
import { runProcess } from '../../platform/src/process/run-process.js';
import { installRuntime } from './temporal/install-runtime.js';
import { WorkerModule } from './worker.module.js';
import { WorkerProcess } from './worker-process.js';

await runProcess({
  name: 'worker',
  load: (env) => loadProcess('worker', env),
  start: async ({ settings, logger, onStop, fail }) => {
    installRuntime(logger, {
      host: settings.metricsHost,
      port: settings.workerSdkMetricsPort,
    });
    const app = await NestFactory.createApplicationContext(WorkerModule.with(settings, logger), {
      logger: new NestLogger(logger),
      abortOnError: false,
    });
    onStop(() => app.close());
    app.get(WorkerProcess).run().catch(fail);
  },
});
