/** Why an operator cannot change the catalogue so; the message says what to do. */
export class CatalogueChangeRefused extends Error {
  override readonly name = 'CatalogueChangeRefused';
}
