extension FlowStep {
  /// A message counts only from the main frame, from exactly the origin of Connect, and with the
  /// channel of this load.
  mutating func receive(_ text: String, origin: String, isMainFrame: Bool) {
    guard isMainFrame, machine.settings.base.isHome(of: origin),
      let message = Envelope(text, channel: machine.channel)
    else { return }
    if message.type == "hello" { return hello() }
    guard machine.state == .open || machine.state == .notice else { return }
    let payload = message.payload
    switch message.type {
    case "ready": call(machine.callbacks.ready(payload))
    case "event": call(ConnectEvent(wire: payload).map { machine.callbacks.event($0) } ?? [])
    case "error": call(ConnectError(wire: payload).map { machine.callbacks.error($0) } ?? [])
    case "success": success(payload)
    case "exit": exited(payload)
    case "oauth_open": openLogin(payload)
    case "resume_ack": acknowledged(payload)
    case "close": end(.userClosed)
    default: break
    }
  }

  /// Every hello of a load is answered: a page that loaded itself again has lost what it knew.
  private mutating func hello() {
    guard machine.state == .loading || machine.state == .open else { return }
    if machine.state == .loading {
      stop(.hello)
      machine.state = .open
    }
    let settings = machine.settings
    send(
      "init",
      settings.options.payload(token: settings.token, continueURL: machine.continueURL))
    emit(.show(.web))
  }

  private mutating func success(_ payload: JSONValue) {
    guard let success = ConnectSuccess(wire: payload), !machine.callbacks.isFinished else { return }
    finish(keepsScreen: !machine.settings.options.closeOnSuccess)
    call(machine.callbacks.success(success, at: now))
  }

  private mutating func exited(_ payload: JSONValue) {
    guard let exit = ConnectExit(wire: payload), !machine.callbacks.isFinished else { return }
    // connect 7: the older window shows "moved" until the end user closes it.
    finish(keepsScreen: exit.reason == .moved)
    call(machine.callbacks.exit(exit, at: now))
  }
}

// MARK: The bank's login

extension FlowStep {
  private mutating func openLogin(_ payload: JSONValue) {
    guard machine.state == .open, let address = payload["authorize_url"]?.string else { return }
    switch LoginChoice.choose(
      authorizeURL: address, redirectURI: payload["redirect_uri"]?.string,
      system: machine.settings.system)
    {
    case .refuse: break
    case .unavailable: loginNotOpened()
    case .open(let way):
      closeLogin()
      machine.isAuthOpen = true
      emit(.openAuth(address: address, way: way))
    }
  }

  mutating func authEnded(_ end: FlowInput.AuthEnd) {
    guard machine.isAuthOpen else { return }
    machine.isAuthOpen = false
    switch end {
    case .url(let url):
      if ReturnAddress.stateID(of: url) == nil { cancelLogin() } else { returned(url) }
    case .cancelled: cancelLogin()
    // Nothing is said to the page: a link that comes later would find its state cancelled.
    case .dismissed: break
    case .failed: loginNotOpened()
    }
  }

  /// The return of a login, from its session or by a link; each state is taken once.
  mutating func returned(_ url: String) {
    guard let stateID = ReturnAddress.stateID(of: url),
      machine.state != .idle, machine.state != .notice,
      machine.takenStates.insert(stateID).inserted
    else { return }
    closeLogin()
    guard machine.state == .open else {
      // A page that is not there yet cannot know the state.
      machine.continueURL = url
      stop(.hello)
      return load()
    }
    machine.unacknowledged = (url, stateID)
    send("oauth_result", ["url": .string(url)])
    start(.acknowledgement)
  }

  private mutating func acknowledged(_ payload: JSONValue) {
    guard let stateID = machine.unacknowledged?.stateID,
      payload["oauth_state_id"]?.string == stateID
    else { return }
    machine.unacknowledged = nil
    stop(.acknowledgement)
  }

  /// The page does not know the state, as after its content was terminated: `/continue` with the
  /// address and the token is the same holder, so nothing is lost.
  mutating func continueElsewhere() {
    guard let url = machine.unacknowledged?.url, machine.state == .open else { return }
    machine.continueURL = url
    load()
  }

  private mutating func cancelLogin() {
    if machine.state == .open { send("oauth_result", ["cancelled": true]) }
  }

  private mutating func loginNotOpened() {
    call(machine.callbacks.error(machine.settings.texts.loginNotOpened()))
    cancelLogin()
  }

  mutating func closeLogin() {
    if machine.isAuthOpen { emit(.closeAuth) }
    machine.isAuthOpen = false
  }
}
