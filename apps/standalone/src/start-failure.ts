/** Why the service cannot start, in words for the person who started it: what is wrong and what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
