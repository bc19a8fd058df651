/** No route to the institution can be taken now. */
export class NoRoute extends Error {
  constructor(readonly institutionId: string) {
    super(`no route to ${institutionId} can be taken`);
    this.name = 'NoRoute';
  }
}
