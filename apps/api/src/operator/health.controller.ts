import { Controller, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { examine, type HealthCheck } from '../../../platform/src/process/health-check.js';
import { Route } from '../http/route.js';
import { healthDocs } from './health.docs.js';

/** Injection token of the health checks of this process. */
export const HEALTH_CHECKS = Symbol('health checks');

@Controller()
export class HealthController {
  constructor(@Inject(HEALTH_CHECKS) private readonly checks: readonly HealthCheck[]) {}

  @Route('GET /health/live', {
    reads: { by: 'object' },
    docs: healthDocs.live,
    auth: 'none',
    family: 'operator',
  })
  live() {
    return { status: 'live' };
  }

  @Route('GET /health/ready', {
    reads: { by: 'object' },
    docs: healthDocs.ready,
    auth: 'none',
    family: 'operator',
  })
  async ready(@Res({ passthrough: true }) response: Response) {
    const report = await examine(this.checks);
    if (report.status === 'unavailable') response.status(503).setHeader('Retry-After', '5');
    return report;
  }
}
