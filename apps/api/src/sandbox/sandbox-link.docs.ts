import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import { sandboxLink, scriptOutcome } from '../openapi/models/sandbox.model.js';

/** Source: link-lifecycle 14. */
export const sandboxLinkDocs = routeDocs('Sandbox', {
  create: {
    id: 'sandbox.createLink',
    summary: 'Create a link without a user interface',
    response: json(sandboxLink),
    errors: [
      'institution_error.not_found',
      'sandbox_error.not_found',
      'link_error.bad_state',
      'link_error.not_found',
      'link_error.unauthorized_access',
    ],
  },
  runScript: {
    id: 'sandbox.runScript',
    summary: 'Write transactions at the sandbox bank',
    response: json(scriptOutcome),
    errors: ['link_error.forbidden_action', 'link_error.bad_state', 'sandbox_error.script_failed'],
  },
  expireAuth: {
    id: 'sandbox.expireAuth',
    summary: 'End the permission at the bank',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
