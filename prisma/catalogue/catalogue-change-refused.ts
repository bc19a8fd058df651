/**
 * The reason that an operator cannot make a change to the catalogue; the message includes the
 * remedy.
 */
export class CatalogueChangeRefused extends Error {
  override readonly name = 'CatalogueChangeRefused';
}
