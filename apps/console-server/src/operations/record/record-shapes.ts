import { z } from 'zod';

/** `action`: a command or the noun of several. `before`: of the last page. */
export const RecordInput = z.object({
  actor: z.string().min(1).max(500).optional(),
  action: z.string().min(1).max(500).optional(),
  subject: z.string().min(1).max(500).optional(),
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

export interface ShownAction {
  number: string;
  at: string;
  actor: string;
  action: string;
  subject: string;
  outcome: 'started' | 'succeeded' | 'failed' | 'refused';
}

/** `GET /instance/record`: newest first; a filtered page may hold few rows, even none, and continue. */
export interface RecordPage {
  rows: ShownAction[];
  before: string | null;
}
