/** A payload of a callback as text. Its tokens are secrets, which no page shows. */
export const withoutTokens = (payload: unknown): string =>
  JSON.stringify(
    payload,
    (name, value: unknown) =>
      name.endsWith('_token') && typeof value === 'string'
        ? `${value.split('_', 2).join('_')}_…`
        : value,
    1,
  );
