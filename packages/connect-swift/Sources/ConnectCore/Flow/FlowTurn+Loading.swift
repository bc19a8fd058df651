/// connect 8.
private let helloWithin = 10_000
/// Rule 7: the limit of automatic reloads of a page, and its period.
private let maxReloads = (count: 2, within: 60_000)

extension FlowTurn {
  /// A load with a channel of its own; at `/continue` when there is an address to continue from.
  mutating func load(_ continueURL: String?) {
    stop(.ack)
    memory.continueURL = continueURL
    memory.load += 1
    memory.pendingReturn = nil
    memory.failure = nil
    state = .loading
    emit(.show(.loading))
    emit(
      .load(
        address: setup.base.page(
          continueURL == nil ? .start : .continue, load: memory.load, channel: memory.channel)))
    start(.hello, milliseconds: helloWithin)
  }

  /// Rule 1: every `hello` of a load gets a response, also that of a page that reloaded itself.
  mutating func greet() {
    stop(.hello)
    send(
      "init",
      memory.options.initPayload(
        token: memory.token, continueURL: memory.continueURL, setup: setup))
    guard state == .loading else { return }
    emit(.show(.web))
    state = .open
  }

  /// Rule 2.
  mutating func fail() {
    let failure = memory.texts.unavailable()
    stop(.hello)
    stop(.ack)
    memory.failure = failure
    state = .failed
    emit(.show(.failure))
    call(memory.report.error(failure))
  }

  mutating func loadFailed(_ failure: FlowInput.LoadFailure) {
    switch state {
    case .failed, .idle: break
    // Without its page the last screen has nothing to show.
    case .lastScreen: remove()
    case .loading, .open: if failure == .contentEnded { loadAgain() } else { fail() }
    }
  }

  /// Rule 8: a main frame at another address is loaded again.
  mutating func arrived(_ address: String) {
    // The address of a WebView before its first page.
    if state == .loading, address == "about:blank" { return }
    let decision = Navigation.decide(
      address, base: setup.base, isMainFrame: true, byUser: false, newWindow: false)
    if decision != .load { loadFailed(.contentEnded) }
  }

  /// Rules 7 and 8: the page is gone, or another one has replaced it.
  private mutating func loadAgain() {
    memory.reloads.removeAll { now - $0 >= maxReloads.within }
    guard memory.reloads.count < maxReloads.count else { return fail() }
    memory.reloads.append(now)
    // A return address that the old page did not acknowledge is sent to the new one.
    load(memory.pendingReturn ?? memory.continueURL)
  }

  mutating func tryAgain() {
    if state == .failed { load(memory.pendingReturn ?? memory.continueURL) }
  }

  mutating func restyle(_ theme: JSONValue, _ appearance: String?) {
    memory.options.theme = theme
    memory.options.appearance = appearance
    guard state == .open || state == .lastScreen else { return }
    send("theme", ["theme": theme, "appearance": .string(appearance ?? "system")])
  }

  mutating func tick(_ timer: FlowTimer) {
    // A stopped timer may still run out.
    guard memory.timers.remove(timer) != nil else { return }
    switch timer {
    case .hello: if state == .loading { fail() }
    case .ack: acknowledgmentTimedOut()
    case .exit: end(.programmatic)
    }
  }
}
