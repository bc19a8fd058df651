/// The flow ended without success. Source: connect 9.1.
public struct ConnectExit: ConnectPayload {
  public var reason: ConnectExitReason
  /// The error that ended the flow, or was on the screen when the end user left.
  public var error: ConnectError?
  public var sessionID: String?
  public var institution: ConnectInstitution?
  /// The end user's last search term.
  public var searchTerm: String?

  init(reason: ConnectExitReason, error: ConnectError?, sessionID: String?) {
    self.reason = reason
    self.error = error
    self.sessionID = sessionID
  }

  public init?(wire: JSONValue) {
    guard let name = wire["reason"]?.string else { return nil }
    reason = ConnectExitReason(rawValue: name)
    error = wire["error"].flatMap(ConnectError.init(wire:))
    sessionID = wire["session_id"]?.string
    institution = wire["institution"].flatMap(ConnectInstitution.init(wire:))
    searchTerm = wire["search_term"]?.string
  }

  public var wire: JSONValue {
    [
      "reason": .string(reason.rawValue), "error": error?.wire ?? .null,
      "session_id": JSONValue(sessionID), "institution": institution?.wire ?? .null,
      "search_term": JSONValue(searchTerm),
    ]
  }
}

/// The reason that a flow ended. Values may be added.
public enum ConnectExitReason: Sendable, Hashable {
  case userClosed, error, connectManually, moved, expired, programmatic
  case other(String)

  private static let names: [(ConnectExitReason, String)] = [
    (.userClosed, "user_closed"), (.error, "error"), (.connectManually, "connect_manually"),
    (.moved, "moved"), (.expired, "expired"), (.programmatic, "programmatic"),
  ]

  public init(rawValue: String) {
    self = Self.names.first { $0.1 == rawValue }?.0 ?? .other(rawValue)
  }

  public var rawValue: String {
    if case .other(let name) = self { return name }
    return Self.names.first { $0.0 == self }?.1 ?? ""
  }
}

extension ConnectExit {
  /// The flow was removed by the app itself.
  package static let programmatic = ConnectExit(reason: .programmatic, error: nil, sessionID: nil)
}
