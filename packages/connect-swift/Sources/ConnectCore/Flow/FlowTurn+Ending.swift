/// Rule 9: a hosted app that does not respond must not keep the app covered.
private let forcedExitWithin = 2_000

extension FlowTurn {
  /// Ends the flow on the SDK's side; without a callback when the final one was called.
  mutating func end(_ reason: ConnectExitReason, _ error: ConnectError? = nil) {
    remove()
    call(memory.report.end(reason, error, at: timestamp))
  }

  mutating func exit(force: Bool) {
    // Where the user cannot be asked: before the handshake, after a failure, after the final callback.
    guard state == .open else { return end(.programmatic, memory.failure) }
    send("request_exit", ["force": .bool(force), "reason": "programmatic"])
    if force, !memory.timers.contains(.exit) { start(.exit, milliseconds: forcedExitWithin) }
  }

  /// A button of the native views, or the platform's back action on one of them.
  mutating func closeNativeView() {
    if state == .failed { end(.error, memory.failure) } else { end(.userClosed) }
  }
}
