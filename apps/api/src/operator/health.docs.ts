import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

const health = z.object({
  status: z.enum(['ready', 'degraded', 'unavailable']),
  parts: z.record(z.string(), z.enum(['up', 'down'])),
});

export const healthDocs = routeDocs('Operator', {
  live: {
    id: 'service.isLive',
    summary: 'Check that the process is up',
    response: json(z.object({ status: z.literal('live') })),
  },
  ready: {
    id: 'service.isReady',
    summary: 'Check that the parts the process needs are available',
    response: json(health),
    otherResponses: { 503: health },
  },
});
