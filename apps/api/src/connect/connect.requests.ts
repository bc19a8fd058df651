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
    link_session_token: z.string().describe('The token of the session.'),
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
    origin: text(1, 2_048)
      .nullable()
      .default(null)
      .describe('The origin of the embedding page; null in a WebView.'),
    platform: z
      .enum(['web', 'react-native', 'ios'])
      .meta({ id: 'ConnectPlatform', description: 'The SDK in which the page runs.' })
      .default('web')
      .describe('The SDK in which the page runs.'),
    device: z
      .enum(['mobile', 'desktop'])
      .meta({ id: 'ConnectDevice', description: 'The kind of device.' })
      .optional()
      .describe('The kind of device.'),
    locale: text(1, 35)
      .nullable()
      .optional()
      .describe('A language tag; missing = the language of the browser.'),
    sdk: z
      .object({
        name: text(1, 100).describe('The package.'),
        version: text(1, 100).describe('Its version.'),
      })
      .meta({ id: 'ConnectSdk', description: 'The SDK that opened the page.' })
      .optional()
      .describe('The SDK that opened the page.'),
  }),
};

/** Source: connect 4, "Reopening". */
export const ReopenSessionRequest = {
  body: OpenSessionRequest.body.omit({ link_session_token: true }).extend({
    session_id: text(1, 100).describe('The id of the session that the browser has opened.'),
  }),
};

export const PollSessionRequest = {
  query: z.object({
    after_seq: wholeNumber({ min: 0, max: MAX_POSITION, fallback: -1 }).describe(
      'Wait for a view after this `seq`.',
    ),
    wait: wholeNumber({ min: 0, max: 20, fallback: 0 }).describe('The seconds to wait for it.'),
  }),
};

/** The shape of `input` is checked against the current step. */
export const SubmitStepRequest = {
  body: z.object({
    seq: z.int().min(0).max(MAX_POSITION).describe('The `seq` of the view that is answered.'),
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
    input: z
      .looseObject({ kind: z.string().describe('The kind of input.') })
      .meta({ openapi: stepInput, description: 'The answer of the user.' }),
  }),
};

export const ExtendSessionRequest = {
  body: z.object({
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
  }),
};

export const FinishSessionRequest = {
  body: z.object({
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
  }),
};

export const ExitSessionRequest = {
  body: z.object({
    request_id: requestId.describe(
      'A UUID of this call; repeated with it, the call takes effect once.',
    ),
    reason: z
      .enum(['user_closed', 'connect_manually', 'programmatic', 'error'])
      .meta({ id: 'ConnectExitReason', description: 'Why a user leaves Connect.' })
      .describe('Why the user left.'),
  }),
};

export const SearchInstitutionsRequest = {
  query: z.object({
    q: single
      .pipe(text(0, 100))
      .default('')
      .describe('The beginning of a name, or of a word in it.'),
    country: country.optional().describe('Only institutions of this country.'),
    cursor,
    limit: wholeNumber({ min: 1, max: 50, fallback: 20 }).describe('Institutions of a page.'),
  }),
};
