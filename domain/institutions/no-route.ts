/** The institution currently has no usable route. */
export class NoRoute extends Error {
  constructor(readonly institutionId: string) {
    super(`no route to ${institutionId} can be taken`);
    this.name = 'NoRoute';
  }
}
