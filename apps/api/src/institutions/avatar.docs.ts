import { routeDocs } from '../http/route-docs.js';

/** Source: native-api 4.1. */
export const avatarDocs = routeDocs('Institutions', {
  show: {
    id: 'institutions.getAvatar',
    summary: 'Get a picture of an institution',
    description:
      "An SVG with the service's copy of the institution's logo; where there is none, of its initials on its color. It can be cached.",
    response: {
      kind: 'media',
      type: 'image/svg+xml',
      example: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">…</svg>',
    },
    errors: ['institution_error.not_found'],
  },
});
