/// Order and count of the callbacks of one flow: the closing event first, an error of the exit also
/// to `onError`, one final callback, nothing after it. Source: connect 9.1.
struct FlowReport: Sendable {
  /// The final callback was called.
  private(set) var isFinished = false
  private var hasClosingEvent = false
  private(set) var sessionID: String?
  private var linkType = ConnectLinkType.link
  private var errors: [ConnectError] = []

  /// - Parameter payload: of a `ready`
  mutating func ready(_ payload: JSONValue) -> [FlowCallback] {
    guard !isFinished, let session = Self.session(payload) else { return [] }
    sessionID = session["session_id"]?.string
    linkType = session["mode"] == "relink" ? .relink : .link
    return [.ready]
  }

  /// The session that a `ready` names.
  static func session(_ payload: JSONValue) -> JSONValue? {
    guard let id = payload["session_id"]?.string else { return nil }
    return ["session_id": .string(id), "mode": payload["mode"] == "relink" ? "relink" : "link"]
  }

  mutating func event(_ event: ConnectEvent) -> [FlowCallback] {
    guard !isFinished else { return [] }
    if event.name == .success || event.name == .exit { hasClosingEvent = true }
    return [.event(event)]
  }

  mutating func error(_ error: ConnectError) -> [FlowCallback] {
    guard !isFinished else { return [] }
    errors.append(error)
    return [.error(error)]
  }

  mutating func success(_ success: ConnectSuccess, at timestamp: String) -> [FlowCallback] {
    guard !isFinished else { return [] }
    return finish(.success, [:], at: timestamp) + [.success(success)]
  }

  mutating func exit(_ exit: ConnectExit, at timestamp: String) -> [FlowCallback] {
    guard !isFinished else { return [] }
    var calls: [FlowCallback] = []
    if let ending = exit.error, !errors.contains(ending) { calls += error(ending) }
    calls += finish(.exit, ["reason": .string(exit.reason.rawValue)], at: timestamp)
    return calls + [.exit(exit)]
  }

  /// Ends on the SDK's side.
  mutating func end(
    _ reason: ConnectExitReason, _ error: ConnectError?, at timestamp: String
  ) -> [FlowCallback] {
    exit(ConnectExit(reason: reason, error: error, sessionID: sessionID), at: timestamp)
  }

  private mutating func finish(
    _ name: ConnectEventName, _ properties: [String: JSONValue], at timestamp: String
  ) -> [FlowCallback] {
    isFinished = true
    if hasClosingEvent { return [] }
    hasClosingEvent = true
    return [
      .event(
        ConnectEvent(
          name: name, properties: properties,
          meta: .init(linkType: linkType, timestamp: timestamp, linkSessionID: sessionID)))
    ]
  }
}
