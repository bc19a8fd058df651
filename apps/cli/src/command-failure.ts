/** Why a command could not be done, in words for the operator; printed without a stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
