/// The flow of Connect in a WebView: a function of its state and its input, with no clock, no
/// randomness and no platform. The TypeScript SDK has the same machine; the traces of
/// `packages/connect-vectors` hold both to each other. The rules are those of connect 9.4.
package struct FlowMachine: Sendable {
  package enum State: String, Sendable {
    case idle
    /// A spinner with a close button.
    case loading
    /// The hosted app, which has sent `hello`.
    case open
    /// A native view offers to try again.
    case failed
    /// The hosted app after the final callback: "connected", "moved".
    case lastScreen = "last_screen"
  }

  package private(set) var state = State.idle
  private let setup: FlowSetup
  /// The number of the current or last flow; 0 before the first.
  private var flow = 0
  /// nil exactly in `idle`.
  private var memory: FlowMemory?
  /// Rule 11: the token of the newest flow, until its final callback.
  package private(set) var keptToken: String?
  /// Rule 5: the states of logins whose return a flow processed, once its final callback was called.
  package private(set) var endedReturns: Set<String>

  /// With the kept state of earlier flows of the same process.
  package init(_ setup: FlowSetup, keptToken: String? = nil, endedReturns: Set<String> = []) {
    self.setup = setup
    self.keptToken = keptToken
    self.endedReturns = endedReturns
  }

  /// - Parameter now: milliseconds since 1970
  package mutating func handle(_ input: FlowInput, at now: Int) -> [FlowEffect] {
    switch input {
    case .present(let start): return begin(start, continueURL: nil, at: now)
    case .resume(let url, let start): return begin(start, continueURL: url, at: now)
    case .opened(let url, let token) where !isRunning: return ask(url, token)
    default: break
    }
    guard let memory else { return [] }
    return run(FlowTurn(state, memory, setup, flow: flow, at: now)) { $0.work(input) }
  }

  private var isRunning: Bool { memory != nil && state != .lastScreen }

  /// Rule 5: not a return of a finished flow; the system may deliver a link again.
  private func isNewReturn(_ url: String) -> Bool {
    ReturnAddress.stateID(of: url).map { !endedReturns.contains($0) } ?? false
  }

  /// Rule 12: nothing covers the app before the service has something to continue.
  private func ask(_ url: String, _ token: String?) -> [FlowEffect] {
    isNewReturn(url) ? [.ask(url: url, token: token ?? keptToken)] : []
  }

  private mutating func begin(
    _ start: FlowStart, continueURL: String?, at now: Int
  ) -> [FlowEffect] {
    if let continueURL, !isNewReturn(continueURL) { return [] }
    if isRunning {
      if let continueURL { return handle(.link(url: continueURL), at: now) }
      return [.warn("A second flow was ignored: Connect is open already.")]
    }
    flow += 1
    keptToken = start.token ?? keptToken
    var memory = FlowMemory(start, token: keptToken)
    memory.taken = endedReturns
    if let stateID = continueURL.flatMap(ReturnAddress.stateID) { memory.taken.insert(stateID) }
    return run(FlowTurn(.idle, memory, setup, flow: flow, at: now)) { $0.load(continueURL) }
  }

  private mutating func run(
    _ turn: FlowTurn, _ work: (inout FlowTurn) -> Void
  ) -> [FlowEffect] {
    var turn = turn
    work(&turn)
    state = turn.state
    memory = turn.state == .idle ? nil : turn.memory
    if turn.effects.contains(where: \.forgetsToken) { keptToken = nil }
    // The same return may arrive again for a flow that the app removed, and continues it.
    if turn.effects.contains(where: \.isFinal) { endedReturns = turn.memory.taken }
    return turn.effects
  }
}
