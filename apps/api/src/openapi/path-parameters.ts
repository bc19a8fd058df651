/** The parameters of paths, by the part of the path before them and their names. */
const PATH_PARAMETERS: readonly (readonly [path: RegExp, description: string])[] = [
  [/^\/(sandbox\/)?links\/:id/, 'The `link_id` of the link.'],
  [/^\/webhooks\/test\/link\/:id/, 'The `link_id` of a Sandbox link with a webhook address.'],
  [/^\/link-sessions\/:id/, 'The `session_id` of the session.'],
  [/^\/users\/:id/, 'The `customer_user.id` of the user.'],
  [/^\/webhooks\/events\/:id/, 'The `event_id` of the event.'],
  [/^\/webhooks\/listeners\/:id/, 'The `listener_id` of the listener.'],
  [/:account_id/, 'The `account_id` of the account.'],
  [/:transaction_id/, 'The `transaction_id` of the transaction.'],
  [/:token_id/, 'The `token_id` of the token.'],
  [/:token/, 'The `delivery_token` of the delivery.'],
  [/:institution_id/, 'The `institution_id` of the institution, or an alias of it.'],
  [/:world_id/, 'The `world_id` of the world.'],
  [/:fault_id/, 'The `fault_id` of the fault.'],
  [/^\/provider-(keys|webhooks)\/:source/, 'The name of the configuration of a provider.'],
  [/:key/, 'The key of the address, which the operator gave to the provider.'],
];

/** @throws Error for a parameter that the table does not have */
export function pathParameterDescription(path: string, name: string): string {
  // A path is read up to the parameter, and the last name in it wins.
  const upTo = path.slice(0, path.indexOf(`:${name}`) + name.length + 1);
  const found = PATH_PARAMETERS.find(([pattern]) => {
    const match = pattern.exec(upTo);
    return match !== null && match.index + match[0].length === upTo.length;
  });
  if (found === undefined) throw new Error(`${path} has no description of :${name}.`);
  return found[1];
}
