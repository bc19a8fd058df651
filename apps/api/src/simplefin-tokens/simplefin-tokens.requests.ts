import { z } from 'zod';
import { plainTexts } from '../schemas/plain-texts.js';
import { text } from '../schemas/text.schema.js';

const NAME = 'Finance app';

/** A request without a body creates a token with the default name. Source: native-api 3.11. */
export const CreateSimplefinToken = {
  body: z
    .object({
      name: text(1, 100).default(NAME).describe('Shown to the user, to tell tokens apart.'),
    })
    .superRefine(plainTexts)
    .prefault({}),
};
