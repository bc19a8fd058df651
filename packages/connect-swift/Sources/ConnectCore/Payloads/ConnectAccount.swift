/// An account the end user shared. `accountMask` is the end of its number.
public struct ConnectAccount: ConnectPayload {
  public var accountID: String
  /// Such as `depository.checking`.
  public var accountType: String
  public var name: String
  public var accountMask: String?

  public init?(wire: JSONValue) {
    guard let id = wire["account_id"]?.string else { return nil }
    accountID = id
    accountType = wire["account_type"]?.string ?? ""
    name = wire["name"]?.string ?? ""
    accountMask = wire["account_mask"]?.string
  }

  public var wire: JSONValue {
    [
      "account_id": .string(accountID), "account_type": .string(accountType),
      "name": .string(name), "account_mask": JSONValue(accountMask),
    ]
  }
}
