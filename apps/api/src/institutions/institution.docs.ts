import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { institution } from '../openapi/models/institution.model.js';
import { pageCursor } from '../openapi/models/values.model.js';

/** Source: native-api 3.7. */
export const institutionDocs = routeDocs('Institutions', {
  list: {
    id: 'institutions.list',
    summary: 'List the institutions of this environment',
    description:
      'What users of your app can link. Filter by `name`, which matches a whole name or its beginning. Follow `cursors.next` until it is null.',
    response: json(
      z.object({
        institutions: z.array(institution).describe('The institutions of this page.'),
        cursors: pageCursor.describe('The position after this page.'),
      }),
    ),
  },
  show: {
    id: 'institutions.get',
    summary: 'Get an institution by its id or an alias',
    description:
      'An alias, such as an id that a provider used earlier, returns the institution under its present id.',
    response: json(institution),
    errors: ['institution_error.not_found'],
  },
});
