import { z } from 'zod';
import type { AdapterSettings } from '../../../../providers/adapter.js';

const publicSettings = z.strictObject({
  bankName: z.string().default('Toy Bank').describe('What users call the bank.'),
});

export type ToySettings = z.output<typeof publicSettings>;

export const TOY_SETTINGS = {
  public: publicSettings,
  secret: z.strictObject({}),
} satisfies AdapterSettings;
