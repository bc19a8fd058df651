import { z } from 'zod';
import { productName } from '../schemas/products.schema.js';

const products = z
  .array(productName)
  .min(1, 'Must name at least one product.')
  .superRefine((names, context) => {
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) < index)
        context.addIssue({ code: 'custom', path: [index], message: 'Must not be repeated.' });
    }
  })
  .meta({ uniqueItems: true });

/** Source: native-api 3.7. */
export const RefreshProductsRequest = {
  body: z.object({ products: products.describe('The products to fetch, each once.') }),
};
