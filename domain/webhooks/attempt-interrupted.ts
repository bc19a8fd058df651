/** The process is stopping: the outcome of this attempt is unknown, and it will be repeated. */
export class AttemptInterrupted extends Error {
  override readonly name = 'AttemptInterrupted';
}
