/** The process is stopping: the outcome of this attempt is unknown, and it will be made again. */
export class AttemptInterrupted extends Error {
  override readonly name = 'AttemptInterrupted';
}
