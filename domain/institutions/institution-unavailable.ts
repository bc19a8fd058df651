/** A session names an institution that it cannot use, or can no longer use. */
export class InstitutionUnavailable extends Error {
  override readonly name = 'InstitutionUnavailable';

  constructor(readonly institutionId: string) {
    super('the institution is not available for this session');
  }
}
