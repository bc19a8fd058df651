import { z } from 'zod';
import { text } from '../schemas/text.schema.js';

/** Values that a bank might send: a script may set each field to what it is, or to any text. */
const MAX_LENGTH = 500;
const anyText = text(0, MAX_LENGTH);

const figure = z
  .union([z.number().min(-1e15).max(1e15).meta({ format: 'decimal' }), anyText])
  .meta({
    id: 'RawFigure',
    openapi: {
      anyOf: [
        { type: 'number', format: 'decimal', minimum: -1e15, maximum: 1e15 },
        { type: 'string', maxLength: MAX_LENGTH },
      ],
      description: 'A figure, or any text in its place.',
      examples: [212.4, '212.40'],
    },
  });
const flag = z.union([z.boolean(), anyText]).meta({
  id: 'RawFlag',
  openapi: {
    anyOf: [{ type: 'boolean' }, { type: 'string', maxLength: MAX_LENGTH }],
    description: 'True or false, or any text in their place.',
  },
});

/** A field that may be left out, or be null. */
export const rawFigure = (description: string) =>
  figure.nullable().optional().describe(description);
export const rawFlag = (description: string) => flag.nullable().optional().describe(description);
export const rawText = (description: string) => anyText.nullable().optional().describe(description);
