/**
 * The user already has a link at the institution, and the session forbids another. Source:
 * link-lifecycle 2.5.
 */
export class DuplicateInstitution extends Error {
  override readonly name = 'DuplicateInstitution';

  constructor(readonly institutionId: string) {
    super(`the customer user has a link at ${institutionId} already`);
  }
}
