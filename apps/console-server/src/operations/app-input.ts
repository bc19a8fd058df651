import { z } from 'zod';
import { ENVIRONMENTS, type Environment, type Tenant } from '../../../../domain/api/environment.js';

const MAX_ID = 200;

/** An id in a path; unknown ones are the answer 404, so only their length is checked. */
export const id = z.string().min(1).max(MAX_ID);

/** The app and environment of a path below `/apps/:app/:env`. */
export const APP_INPUT = { app: id, env: z.enum(ENVIRONMENTS) };

export const tenantOf = ({ app, env }: { app: string; env: Environment }): Tenant => ({
  appId: app,
  environment: env,
});
