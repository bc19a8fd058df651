/** Why a command failed, in words for the operator; printed without a stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
