/// An error that was shown or met. `errorID` is for programs, `displayedMessage` is the text that the end
/// user read. Source: connect 6 and 9.1.
public struct ConnectError: ConnectPayload, Error {
  /// Such as `connect_error.institution_down`.
  public var errorID: String
  public var displayedMessage: String
  /// Names the failed call to the support of the service.
  public var requestID: String?
  public var fault: ConnectFault
  /// Such as `user_error`, when the error is about the link.
  public var linkError: String?

  init(_ errorID: String, _ displayedMessage: String, fault: ConnectFault = .service) {
    self.errorID = errorID
    self.displayedMessage = displayedMessage
    self.fault = fault
  }

  public init?(wire: JSONValue) {
    guard let id = wire["error_id"]?.string else { return nil }
    errorID = id
    displayedMessage = wire["displayed_message"]?.string ?? ""
    requestID = wire["request_id"]?.string
    fault = ConnectFault(rawValue: wire["fault"]?.string ?? "service")
    linkError = wire["link_error"]?.string
  }

  public var wire: JSONValue {
    [
      "error_id": .string(errorID), "displayed_message": .string(displayedMessage),
      "request_id": JSONValue(requestID), "fault": .string(fault.rawValue),
      "link_error": JSONValue(linkError),
    ]
  }
}

/// The party at fault. Values may be added.
public enum ConnectFault: Sendable, Hashable {
  case user, institution, provider, service
  case other(String)

  public init(rawValue: String) {
    switch rawValue {
    case "user": self = .user
    case "institution": self = .institution
    case "provider": self = .provider
    case "service": self = .service
    default: self = .other(rawValue)
    }
  }

  public var rawValue: String {
    if case .other(let name) = self { name } else { "\(self)" }
  }
}
