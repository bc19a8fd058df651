/// Rule 6: the time limit for the acknowledgment of a return address.
private let acknowledgedWithin = 2_000

extension FlowTurn {
  /// Rule 3: `oauth_open` of the hosted app.
  mutating func openLogin(_ payload: JSONValue) {
    let address = payload["authorize_url"]?.string
    let redirectURI = payload["redirect_uri"]?.string
    switch LoginChoice.choose(
      authorizeURL: address, redirectURI: redirectURI, system: setup.system)
    {
    case .refuse: break
    case .unavailable:
      closeLogin()
      notOpened()
    case .open(let way):
      closeLogin()
      memory.attempt += 1
      memory.isAuthOpen = true
      if let hash = payload["state_hash"]?.string { memory.stateHashes.insert(hash) }
      emit(
        .openAuth(
          attempt: memory.attempt, address: address ?? "", redirectURI: redirectURI ?? "", way))
    }
  }

  /// Rule 4: the session at the bank ended by itself.
  mutating func loginEnded(_ attempt: Int, _ end: FlowInput.AuthEnd) {
    // One that was closed for another also ends, later.
    guard memory.isAuthOpen, attempt == memory.attempt else { return }
    memory.isAuthOpen = false
    switch end {
    case .returned(let url):
      if isForeign(url) { cancelled() } else { takeReturn(url) }
    case .failed: notOpened()
    // On Android also before a link that arrives a moment later.
    case .cancelled: if setup.system.isIOS { cancelled() }
    case .dismissed: break
    }
  }

  /// An address that is not the return of a login, or not of one of this flow's, where their marks are
  /// known.
  private func isForeign(_ url: String) -> Bool {
    ReturnAddress.stateID(of: url) == nil || !memory.stateHashes.isEmpty && !isOwn(url)
  }

  private func isOwn(_ url: String) -> Bool {
    ReturnAddress.stateID(of: url).map { memory.stateHashes.contains(StateHash.of($0)) } ?? false
  }

  /// Rule 12: a link is this flow's own return, or the page stays until the service has confirmed it.
  mutating func appOpened(_ url: String) {
    if isOwn(url) { return takeReturn(url) }
    guard let stateID = ReturnAddress.stateID(of: url), !memory.taken.contains(stateID) else {
      return
    }
    // Without a token the service cannot tell this session from another one.
    if let token = memory.token { emit(.ask(url: url, token: token)) }
  }

  /// Rules 5 and 6: a return address from any source; each state once.
  mutating func takeReturn(_ url: String) {
    guard let stateID = ReturnAddress.stateID(of: url), state != .lastScreen,
      memory.taken.insert(stateID).inserted
    else { return }
    closeLogin()
    // A page that is still loading, or could not be loaded, does not know the state.
    guard state == .open else { return load(url) }
    memory.pendingReturn = url
    send("oauth_result", ["url": .string(url)])
    start(.ack, milliseconds: acknowledgedWithin)
  }

  mutating func acknowledged(_ payload: JSONValue) {
    guard let pending = memory.pendingReturn,
      payload["oauth_state_id"]?.string == ReturnAddress.stateID(of: pending)
    else { return }
    memory.pendingReturn = nil
    stop(.ack)
  }

  /// Rule 6: the page that should receive the address is gone, or has canceled the login. `/continue`
  /// with the address and the token is the same holder, so nothing is lost.
  mutating func acknowledgmentTimedOut() {
    if let pending = memory.pendingReturn { load(pending) }
  }

  private mutating func cancelled() {
    if state == .open { send("oauth_result", ["cancelled": true]) }
  }

  private mutating func notOpened() {
    call(memory.report.error(memory.texts.loginNotOpened()))
    cancelled()
  }
}
