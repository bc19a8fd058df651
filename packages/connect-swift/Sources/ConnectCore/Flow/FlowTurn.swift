import Foundation

/// One input of an open flow in progress: the changes, and the effects.
struct FlowTurn {
  var state: FlowMachine.State
  var memory: FlowMemory
  let setup: FlowSetup
  let now: Int
  private let flow: Int
  private(set) var effects: [FlowEffect] = []

  init(
    _ state: FlowMachine.State, _ memory: FlowMemory, _ setup: FlowSetup, flow: Int, at now: Int
  ) {
    self.state = state
    self.memory = memory
    self.setup = setup
    self.flow = flow
    self.now = now
  }

  mutating func work(_ input: FlowInput) {
    switch input {
    case .present, .resume: break
    case .message(let text, let origin, let isMainFrame):
      receive(text, origin: origin, isMainFrame: isMainFrame)
    case .navigate(let address, let isMainFrame, let byUser, let newWindow):
      let decision = Navigation.decide(
        address, base: setup.base, isMainFrame: isMainFrame, byUser: byUser, newWindow: newWindow)
      if decision == .outside { emit(.openOutside(address: address)) }
    case .arrived(let address): arrived(address)
    case .loadFailed(let failure): loadFailed(failure)
    case .authEnded(let attempt, let end): loginEnded(attempt, end)
    case .opened(let url, _): appOpened(url)
    case .link(let url): takeReturn(url)
    case .exit(let force): exit(force: force)
    case .back: if state == .open { send("back") } else { closeNativeView() }
    case .close:
      if state == .open {
        send("request_exit", ["force": false, "reason": "user_closed"])
      } else {
        closeNativeView()
      }
    case .tryAgain: tryAgain()
    case .restyle(let theme, let appearance): restyle(theme, appearance)
    case .tick(let timer): tick(timer)
    case .unmount: remove()
    }
  }

  mutating func emit(_ effect: FlowEffect) {
    effects.append(effect)
  }

  mutating func send(_ type: String, _ payload: JSONValue = [:]) {
    emit(.send(Envelope(channel: memory.channel, type: type, payload: payload)))
  }

  mutating func call(_ calls: [FlowCallback]) {
    effects += calls.map { .call(flow: flow, $0) }
  }

  mutating func start(_ timer: FlowTimer, milliseconds: Int) {
    memory.timers.insert(timer)
    emit(.timer(timer, milliseconds: milliseconds))
  }

  mutating func stop(_ timer: FlowTimer) {
    if memory.timers.remove(timer) != nil { emit(.timer(timer, milliseconds: nil)) }
  }

  mutating func closeLogin() {
    guard memory.isAuthOpen else { return }
    memory.isAuthOpen = false
    emit(.closeAuth(attempt: memory.attempt))
  }

  /// Clears the screen; the flow may still have to be reported.
  mutating func remove() {
    closeLogin()
    for timer in FlowTimer.allCases { stop(timer) }
    emit(.remove)
    state = .idle
  }

  /// UTC, such as `2026-03-02T10:25:00.000`, as in every event.
  var timestamp: String {
    let seconds = Date(timeIntervalSince1970: Double(now / 1000)).formatted(.iso8601)
    let fraction = String(now % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(seconds.dropLast()).\(zeros)\(fraction)"
  }
}
