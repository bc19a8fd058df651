import { z } from 'zod';
import {
  listAppEndpoints,
  type AppEndpoint,
} from '../../../../../prisma/operations/standing/app-endpoints.js';
import { APP_INPUT, tenantOf } from '../app-input.js';
import { operation } from '../operation.js';
import { requireApp } from '../own-rows.js';
import type { Endpoint, Endpoints } from './webhook-answers.js';

export const ENDPOINTS = operation({
  call: 'GET /apps/:app/:env/endpoints',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object(APP_INPUT),
  run: async ({ service }, app): Promise<Endpoints> => {
    await requireApp(service, tenantOf(app));
    const { endpoints, isCut } = await listAppEndpoints(service.database, tenantOf(app));
    return { endpoints: endpoints.map(present), is_cut: isCut };
  },
});

const present = ({
  address,
  waiting,
  oldestAt,
  last,
  nextAttemptAt,
  isDisabled,
}: AppEndpoint): Endpoint => ({
  address,
  waiting,
  oldest_at: oldestAt?.toISOString() ?? null,
  last_status: last?.httpStatus ?? null,
  last_error: last?.error ?? null,
  last_attempt_at: last?.at.toISOString() ?? null,
  next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  disabled: isDisabled,
});
