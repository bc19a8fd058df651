/// Order and count of the callbacks of one flow. Source: connect 9.1.
struct CallbackOrder: Sendable {
  /// A final callback was called, or never will be.
  private(set) var isFinished = false
  private var closingEventReported = false
  private var sessionID: String?
  private var linkType = ConnectLinkType.link
  private var errors: [ConnectError] = []

  mutating func ready(_ payload: JSONValue) -> [FlowCallback] {
    guard let session = Self.session(payload) else { return [] }
    sessionID = session["session_id"]?.string
    linkType = session["mode"] == "relink" ? .relink : .link
    return isFinished ? [] : [.ready]
  }

  /// The session that a `ready` names, or nil.
  static func session(_ payload: JSONValue) -> JSONValue? {
    guard let id = payload["session_id"]?.string else { return nil }
    return ["session_id": .string(id), "mode": payload["mode"] == "relink" ? "relink" : "link"]
  }

  mutating func event(_ event: ConnectEvent) -> [FlowCallback] {
    guard !isFinished, !closingEventReported else { return [] }
    if event.name == .success || event.name == .exit { closingEventReported = true }
    return [.event(event)]
  }

  mutating func error(_ error: ConnectError) -> [FlowCallback] {
    guard !isFinished else { return [] }
    errors.append(error)
    return [.error(error)]
  }

  mutating func success(_ success: ConnectSuccess, at now: String) -> [FlowCallback] {
    guard !isFinished else { return [] }
    return closingEvent(.success, [:], at: now) + finish(.success(success))
  }

  mutating func exit(_ exit: ConnectExit, at now: String) -> [FlowCallback] {
    guard !isFinished else { return [] }
    // When a flow ends because of an error, `onError` has received the same one.
    var calls: [FlowCallback] = []
    if let ending = exit.error, !errors.contains(ending) { calls += error(ending) }
    calls += closingEvent(.exit, ["reason": .string(exit.reason.rawValue)], at: now)
    return calls + finish(.exit(exit))
  }

  /// Ends the flow on this side.
  mutating func end(
    _ reason: ConnectExitReason, _ error: ConnectError? = nil, at now: String
  ) -> [FlowCallback] {
    exit(ConnectExit(reason: reason, error: error, sessionID: sessionID), at: now)
  }

  mutating func silence() {
    isFinished = true
  }

  private mutating func closingEvent(
    _ name: ConnectEventName, _ properties: [String: JSONValue], at now: String
  ) -> [FlowCallback] {
    guard !closingEventReported else { return [] }
    return event(
      ConnectEvent(
        name: name, properties: properties,
        meta: .init(linkType: linkType, timestamp: now, linkSessionID: sessionID)))
  }

  private mutating func finish(_ call: FlowCallback) -> [FlowCallback] {
    isFinished = true
    return [call]
  }
}
