/// One flow, from its opening to its final callback: a function of its state and what happens, with
/// no clock, no randomness and no platform. The TypeScript SDK has the same machine; the cases in
/// `packages/connect-vectors` hold both to each other.
package struct FlowMachine: Sendable {
  package enum State: String, Sendable {
    case idle
    /// The page is being loaded; only a spinner that can be closed is on the screen.
    case loading
    /// The page has said `hello`.
    case open
    /// A native view offers to try again.
    case failed
    /// The final callback was called, and the page keeps a last screen.
    case notice
    case ended
  }

  package var state = State.idle
  var settings: FlowSettings
  var callbacks = CallbackOrder()
  /// Of this load; a reload is a new one.
  var channel = ""
  /// With it, loads go to `/continue`.
  var continueURL: String?
  var isAuthOpen = false
  var takenStates: Set<String> = []
  /// Sent to the page, which has not acknowledged it yet.
  var unacknowledged: (url: String, stateID: String)?
  var reloads = 0
  var failure: ConnectError?
  var exitReason = ConnectExitReason.programmatic

  package init(_ settings: FlowSettings) {
    self.settings = settings
  }

  /// - Parameters:
  ///   - channel: a new one, used if this input loads the page
  ///   - now: UTC, such as `2026-03-02T10:25:00.000`, for events of our own
  package mutating func handle(_ input: FlowInput, channel: String, now: String) -> [FlowEffect] {
    var step = FlowStep(machine: self, channel: channel, now: now)
    step.take(input)
    self = step.machine
    return step.effects
  }
}
