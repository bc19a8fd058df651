/** The reason that a command failed, for the operator; printed without a stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
