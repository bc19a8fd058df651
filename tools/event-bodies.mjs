const BODY = 'WebhookEventBody';
const OTHER_BODY = 'OtherWebhookBody';

/**
 * The document with the body of an event as a union: of the bodies that its conditions name, and of
 * any other one.
 * @param other the schema of any other body, as a client reads it best
 */
export function withEventBodies({ components, ...document }, other) {
  const { schemas } = components;
  // A part of the document may have no events.
  if (schemas[BODY] === undefined) return { components, ...document };
  const { description } = schemas[BODY];
  const known = bodiesOf(schemas[BODY]);
  const body = { description, anyOf: [...known, { $ref: `#/components/schemas/${OTHER_BODY}` }] };
  const otherBody = {
    ...other,
    description: 'The body of a later event, or of one of the Plaid-compatible layer: any members.',
  };
  return {
    ...document,
    components: { ...components, schemas: { ...schemas, [BODY]: body, [OTHER_BODY]: otherBody } },
  };
}

const bodiesOf = ({ then: body, else: others = {} }) =>
  body === undefined ? [] : [body, ...bodiesOf(others)];
