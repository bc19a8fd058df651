/**
 * The reason that an operator cannot make a change to the catalog; the message includes the
 * remedy.
 */
export class CatalogChangeRefused extends Error {
  override readonly name = 'CatalogChangeRefused';
}
