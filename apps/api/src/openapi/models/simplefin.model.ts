import { z } from 'zod';
import { idOf, timestamp } from './values.model.js';

const status = z.enum(['unclaimed', 'claimed', 'active', 'ended']).meta({
  id: 'SimplefinTokenStatus',
  description:
    '`claimed`: it was not used yet; `ended`: it was not claimed or used in time, or was claimed twice before its first use.',
});

/** Source: native-api 3.11. */
export const simplefinToken = z
  .object({
    token_id: idOf('sft_').describe('The id of the token, by which it is revoked.'),
    name: z.string().describe('The name that it was given.'),
    status: status.describe('Whether it was claimed, and whether it is used.'),
    created_at: timestamp.describe('The creation of the token.'),
    expires_at: timestamp
      .nullable()
      .describe('When it ends unless it is claimed, or used for the first time.'),
    claimed_at: timestamp.nullable().describe('When a finance app exchanged it; null until then.'),
    last_used_at: timestamp.nullable().describe('To the minute.'),
  })
  .meta({
    id: 'SimplefinToken',
    description: 'The access of one finance app to the accounts of a user.',
  });
