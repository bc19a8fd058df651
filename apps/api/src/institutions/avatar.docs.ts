import { routeDocs } from '../http/route-docs.js';

/** Source: native-api 4.1. */
export const avatarDocs = routeDocs('Institutions', {
  show: {
    id: 'institutions.getAvatar',
    summary: 'Get a neutral picture of an institution',
    response: { kind: 'media', type: 'image/svg+xml' },
    errors: ['institution_error.not_found'],
  },
});
