import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';

/** Source: native-api 3.7. */
export const refreshProductsDocs = routeDocs('Links', {
  request: {
    id: 'links.refreshProducts',
    summary: 'Request a refresh; link.product_refresh announces its result',
    description:
      'Returns at once; the fetch runs in the background, and the webhook `link.product_refresh` announces its result. A product that is being fetched already joins the running fetch. Scheduled refreshes need no call.',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
