import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

const health = z.object({
  status: z
    .enum(['ready', 'degraded', 'unavailable'])
    .meta({ id: 'HealthStatus', description: 'Whether the service can work.' })
    .describe('Whether the service can work.'),
  parts: z
    .record(
      z.string(),
      z
        .enum(['up', 'down'])
        .meta({ id: 'HealthPartStatus', description: 'Whether a part can be reached.' }),
    )
    .describe('The parts that it needs, by their names.'),
});

/** native-api 8: probes are not counted. */
const exceptErrors = ['api_error.rate_limit_exceeded'] as const;

export const healthDocs = routeDocs('Operator', {
  live: {
    id: 'service.isLive',
    summary: 'Check that the process is up',
    description: 'For the liveness probe of an orchestrator: it reads nothing.',
    response: json(z.object({ status: z.literal('live').describe('The process runs.') })),
    exceptErrors,
  },
  ready: {
    id: 'service.isReady',
    summary: 'Check that the parts the process needs are available',
    description:
      'For load balancers: 200 while the process can serve calls, 503 with the parts that are missing otherwise.',
    response: json(health),
    exceptErrors: [...exceptErrors, 'api_error.unavailable'],
    otherResponses: {
      503: {
        description: 'The process cannot serve calls.',
        schema: health,
        example: { status: 'unavailable', parts: { database: 'down' } },
      },
    },
  },
});
