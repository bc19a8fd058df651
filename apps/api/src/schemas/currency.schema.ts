import { z } from 'zod';

const CODE = /^[A-Za-z]{3}$/;

/** A currency code, in upper case after it was read: banks and apps write `usd`, too. */
export const currencyCode = z
  .string()
  .regex(CODE, 'Must be three letters.')
  .transform((code) => code.toUpperCase())
  .meta({
    openapi: {
      type: 'string',
      pattern: CODE.source,
      description: 'Three letters, which are stored and shown in upper case.',
    },
  });
