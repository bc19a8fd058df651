/**
 * The reason that the service cannot start, for the person who started it: the problem and its fix.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
