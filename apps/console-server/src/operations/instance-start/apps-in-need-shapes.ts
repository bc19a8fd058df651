import { z } from 'zod';
import type { Environment } from '../../../../../domain/api/environment.js';
import { id } from '../app-input.js';

export const AppsInNeedInput = z.object({
  of: z.enum(['links', 'events', 'receivers']),
  cursor: id.optional(),
});

/** `links`: in error; `events`: abandoned; `receivers`: those that refuse. */
export type Need = z.output<typeof AppsInNeedInput>['of'];

/** `GET /instance/attention`: the apps with something of it among the next 100, and the receivers of all apps. */
export interface AppsInNeed {
  /** `count` ends at `limit + 1`, which stands for more. */
  apps: { app_id: string; name: string; environment: Environment; count: number }[];
  limit: number;
  /** Null = no other app follows. */
  next_cursor: string | null;
}
