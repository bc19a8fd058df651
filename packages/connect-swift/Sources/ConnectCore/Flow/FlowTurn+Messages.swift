extension FlowTurn {
  /// Rule 1: a message counts from the main frame, of Connect's origin, with the channel of this
  /// load.
  mutating func receive(_ text: String, origin: String, isMainFrame: Bool) {
    guard isMainFrame, setup.base.isHome(of: origin), state != .failed,
      let message = Envelope(text, channel: memory.channel)
    else { return }
    if message.type == "hello" { return greet() }
    guard state != .loading else { return }
    if message.type == "close" { return end(.userClosed) }
    if state == .open { heed(message.type, message.payload) }
  }

  private mutating func heed(_ type: String, _ payload: JSONValue) {
    switch type {
    case "ready": call(memory.report.ready(payload))
    case "event": if let event = ConnectEvent(wire: payload) { call(memory.report.event(event)) }
    case "error": if let error = ConnectError(wire: payload) { call(memory.report.error(error)) }
    case "success":
      guard let success = ConnectSuccess(wire: payload) else { return }
      if memory.options.closeOnSuccess { remove() } else { keepLastScreen() }
      call(memory.report.success(success, at: timestamp))
    case "exit":
      guard let exit = ConnectExit(wire: payload) else { return }
      // connect 7: the older window shows "moved" until the end user closes it.
      if exit.reason == .moved { keepLastScreen() } else { remove() }
      call(memory.report.exit(exit, at: timestamp))
    case "oauth_open": openLogin(payload)
    case "resume_ack": acknowledged(payload)
    default: break
    }
  }

  private mutating func keepLastScreen() {
    closeLogin()
    stop(.ack)
    stop(.exit)
    state = .lastScreen
  }
}
