import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import { changeOutcome, sandboxLink, scriptOutcome } from '../openapi/models/sandbox.model.js';

/** Source: link-lifecycle 14. */
export const sandboxLinkDocs = routeDocs('Sandbox', {
  create: {
    id: 'sandbox.createLink',
    summary: 'Create a link without a user interface',
    description:
      'Logs in, grants the products and waits for their data, as a user in Connect would. With `result` set to `exchangeable_token`, it returns a token for tests of the exchange. User names such as `mfa_sms` or `locked` show other outcomes.',
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
    description:
      'Changes the transactions at the bank in the order of the script, all or none. With `refresh`, which is the default, the transactions are then fetched, so that you can test webhooks and `sync`.',
    response: json(scriptOutcome),
    errors: ['link_error.forbidden_action', 'link_error.bad_state', 'sandbox_error.script_failed'],
  },
  runHoldingsScript: {
    id: 'sandbox.runHoldingsScript',
    summary: 'Change holdings at the sandbox bank',
    description:
      'Sets fields of holdings, trades, pays dividends, splits, renames and drops, in the order of the script, all or none. With `refresh`, which is the default, holdings and trades are then fetched.',
    response: json(changeOutcome),
    errors: ['link_error.forbidden_action', 'link_error.bad_state', 'sandbox_error.script_failed'],
  },
  runLiabilitiesScript: {
    id: 'sandbox.runLiabilitiesScript',
    summary: 'Change debts at the sandbox bank',
    description:
      'Sets fields of debts in the order of the script, all or none. With `refresh`, which is the default, the debts are then fetched.',
    response: json(changeOutcome),
    errors: ['link_error.forbidden_action', 'link_error.bad_state', 'sandbox_error.script_failed'],
  },
  expireAuth: {
    id: 'sandbox.expireAuth',
    summary: 'End the permission at the bank',
    description:
      'With `next_fetch`, the bank refuses the next refresh, which then moves the link to `auth_expired`; with `now`, the link changes at once.',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
