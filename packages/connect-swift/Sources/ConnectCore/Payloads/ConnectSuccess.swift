/// The success of a flow. Source: connect 9.1.
public enum ConnectSuccess: ConnectPayload {
  /// A new link: the back end exchanges `exchangeableToken`.
  case link(ConnectLinkSuccess)
  /// A repaired link. It keeps its id, so there is no token to exchange for it.
  case relink(ConnectRelinkSuccess)

  public init?(wire: JSONValue) {
    switch wire["mode"]?.string {
    case "link":
      guard let success = ConnectLinkSuccess(wire: wire) else { return nil }
      self = .link(success)
    case "relink":
      guard let success = ConnectRelinkSuccess(wire: wire) else { return nil }
      self = .relink(success)
    default: return nil
    }
  }

  public var wire: JSONValue {
    switch self {
    case .link(let success): success.wire
    case .relink(let success): success.wire
    }
  }

  public var institution: ConnectInstitution? {
    switch self {
    case .link(let success): success.institution
    case .relink(let success): success.institution
    }
  }

  public var accounts: [ConnectAccount] {
    switch self {
    case .link(let success): success.accounts
    case .relink(let success): success.accounts
    }
  }

  public var sessionID: String? {
    switch self {
    case .link(let success): success.sessionID
    case .relink(let success): success.sessionID
    }
  }
}

public struct ConnectLinkSuccess: ConnectPayload {
  public var exchangeableToken: String
  /// Seconds until the token can no longer be exchanged.
  public var expiresIn: Int?
  /// Only in sessions of the Plaid-compatible layer.
  public var publicToken: String?
  public var sessionID: String?
  public var institution: ConnectInstitution?
  public var accounts: [ConnectAccount]

  public init?(wire: JSONValue) {
    guard let token = wire["exchangeable_token"]?.string else { return nil }
    exchangeableToken = token
    expiresIn = wire["expires_in"]?.number.flatMap { Int(exactly: $0.rounded()) }
    publicToken = wire["public_token"]?.string
    sessionID = wire["session_id"]?.string
    institution = wire["institution"].flatMap(ConnectInstitution.init(wire:))
    accounts = (wire["accounts"]?.array ?? []).compactMap(ConnectAccount.init(wire:))
  }

  public var wire: JSONValue {
    var members: [String: JSONValue] = [
      "mode": "link", "exchangeable_token": .string(exchangeableToken),
      "session_id": JSONValue(sessionID), "institution": institution?.wire ?? .null,
      "accounts": .array(accounts.map(\.wire)),
    ]
    members["expires_in"] = expiresIn.map { .number(Double($0)) }
    members["public_token"] = publicToken.map(JSONValue.string)
    return .object(members)
  }
}

public struct ConnectRelinkSuccess: ConnectPayload {
  /// Only when the session was continued without its token, as after the app was terminated: the link
  /// is unchanged until the back end exchanges this one, with the `expected_customer_user_id` of the
  /// signed-in user, as the token of a new link.
  public var confirmationToken: String?
  /// Only with `confirmationToken`: the seconds until it can no longer be exchanged.
  public var expiresIn: Int?
  /// Only where the session was for a new link and the end user chose to renew an existing one.
  public var existingLinkID: String?
  /// Only in sessions of the Plaid-compatible layer.
  public var publicToken: String?
  public var sessionID: String?
  public var institution: ConnectInstitution?
  public var accounts: [ConnectAccount]

  public init?(wire: JSONValue) {
    guard wire.object != nil else { return nil }
    if let confirmation = wire["confirmation_token"] {
      guard let token = confirmation.string else { return nil }
      confirmationToken = token
    }
    expiresIn = wire["expires_in"]?.number.flatMap { Int(exactly: $0.rounded()) }
    existingLinkID = wire["existing_link_id"]?.string
    publicToken = wire["public_token"]?.string
    sessionID = wire["session_id"]?.string
    institution = wire["institution"].flatMap(ConnectInstitution.init(wire:))
    accounts = (wire["accounts"]?.array ?? []).compactMap(ConnectAccount.init(wire:))
  }

  public var wire: JSONValue {
    var members: [String: JSONValue] = [
      "mode": "relink", "session_id": JSONValue(sessionID),
      "institution": institution?.wire ?? .null, "accounts": .array(accounts.map(\.wire)),
    ]
    members["confirmation_token"] = confirmationToken.map(JSONValue.string)
    members["expires_in"] = expiresIn.map { .number(Double($0)) }
    members["existing_link_id"] = existingLinkID.map(JSONValue.string)
    members["public_token"] = publicToken.map(JSONValue.string)
    return .object(members)
  }
}
