import { z } from 'zod';
import { country } from '../openapi/models/institution.model.js';
import { MAX_POSITION } from '../schemas/position.schema.js';
import { cursor, single, wholeNumber } from '../schemas/query.schema.js';
import { text } from '../schemas/text.schema.js';
import { stepInput } from './step-input.schema.js';

/** Normalized to lower case, because the id is also that of the Update. */
export const requestId = z.guid().transform((id) => id.toLowerCase());

/** Source: connect 4, OpenRequest. */
export const OpenSessionRequest = {
  body: z.object({
    link_session_token: z.string(),
    request_id: requestId,
    origin: text(1, 2_048).nullable().default(null),
    platform: z.enum(['web', 'react-native', 'ios']).meta({ id: 'ConnectPlatform' }).default('web'),
    device: z.enum(['mobile', 'desktop']).meta({ id: 'ConnectDevice' }).optional(),
    locale: text(1, 35).nullable().optional(),
    sdk: z
      .object({ name: text(1, 100), version: text(1, 100) })
      .meta({ id: 'ConnectSdk' })
      .optional(),
  }),
};

export const PollSessionRequest = {
  query: z.object({
    after_seq: wholeNumber({ min: 0, max: MAX_POSITION, fallback: -1 }),
    wait: wholeNumber({ min: 0, max: 20, fallback: 0 }),
  }),
};

/** The shape of `input` is checked against the current step. */
export const SubmitStepRequest = {
  body: z.object({
    seq: z.int().min(0).max(MAX_POSITION),
    request_id: requestId,
    input: z.looseObject({ kind: z.string() }).meta({ openapi: stepInput }),
  }),
};

export const ExtendSessionRequest = { body: z.object({ request_id: requestId }) };

export const FinishSessionRequest = { body: z.object({ request_id: requestId }) };

export const ExitSessionRequest = {
  body: z.object({
    request_id: requestId,
    reason: z
      .enum(['user_closed', 'connect_manually', 'programmatic', 'error'])
      .meta({ id: 'ConnectExitReason' }),
  }),
};

export const SearchInstitutionsRequest = {
  query: z.object({
    q: single.pipe(text(0, 100)).default(''),
    country: country.optional(),
    cursor,
    limit: wholeNumber({ min: 1, max: 50, fallback: 20 }),
  }),
};
