extension FlowStep {
  /// The platform's own way back: in the page where there is one, else the end.
  mutating func back() {
    switch machine.state {
    case .open: send("back")
    case .failed: end(.error, machine.failure)
    case .loading: end(.userClosed)
    case .notice: leave()
    case .idle, .ended: break
    }
  }

  mutating func requestExit(force: Bool, _ reason: ConnectExitReason) {
    switch machine.state {
    case .open:
      machine.exitReason = reason
      send("request_exit", ["force": .bool(force), "reason": .string(reason.rawValue)])
      if force { start(.exit) }
    case .failed: end(.error, machine.failure)
    case .loading: end(reason)
    case .notice: leave()
    case .idle, .ended: break
    }
  }

  mutating func end(_ reason: ConnectExitReason, _ error: ConnectError? = nil) {
    leave()
    call(machine.callbacks.end(reason, error, at: now))
  }

  /// The view goes, or keeps a last screen.
  mutating func finish(keepsScreen: Bool) {
    guard keepsScreen else { return leave() }
    release()
    machine.state = .notice
  }

  mutating func leave() {
    release()
    machine.state = .ended
    emit(.remove)
  }

  mutating func destroy() {
    machine.callbacks.silence()
    if machine.state != .idle { leave() }
    machine.state = .ended
  }

  private mutating func release() {
    closeLogin()
    machine.unacknowledged = nil
    for timer in FlowTimer.allCases { stop(timer) }
  }
}
