/// Progress of a flow, for analytics. It never contains typed values other than the search term,
/// codes, account names, balances or tokens. Source: connect 11.
public struct ConnectEvent: ConnectPayload {
  public var name: ConnectEventName
  public var properties: [String: JSONValue]
  public var meta: Meta

  public struct Meta: Sendable, Hashable {
    public var linkType: ConnectLinkType
    /// UTC, such as `2026-03-02T10:25:00.000`.
    public var timestamp: String
    /// nil only when the flow ended before the hosted app knew its session.
    public var linkSessionID: String?
    /// From the selection of an institution on.
    public var institutionID: String?
    public var institutionName: String?
  }

  init(name: ConnectEventName, properties: [String: JSONValue], meta: Meta) {
    self.name = name
    self.properties = properties
    self.meta = meta
  }

  public init?(wire: JSONValue) {
    guard let name = wire["name"]?.string, let meta = wire["meta"], meta.object != nil else {
      return nil
    }
    self.name = ConnectEventName(rawValue: name)
    properties = wire["properties"]?.object ?? [:]
    self.meta = Meta(
      linkType: ConnectLinkType(rawValue: meta["link_type"]?.string ?? "link"),
      timestamp: meta["timestamp"]?.string ?? "",
      linkSessionID: meta["link_session_id"]?.string,
      institutionID: meta["institution_id"]?.string,
      institutionName: meta["institution_name"]?.string)
  }

  public var wire: JSONValue {
    var members: [String: JSONValue] = [
      "link_type": .string(meta.linkType.rawValue), "timestamp": .string(meta.timestamp),
      "link_session_id": JSONValue(meta.linkSessionID),
    ]
    members["institution_id"] = meta.institutionID.map(JSONValue.string)
    members["institution_name"] = meta.institutionName.map(JSONValue.string)
    return [
      "name": .string(name.rawValue), "properties": .object(properties), "meta": .object(members),
    ]
  }
}

/// The purpose of the flow: a new link or a repair. Values may be added.
public enum ConnectLinkType: Sendable, Hashable {
  case link, relink
  case other(String)

  public init(rawValue: String) {
    switch rawValue {
    case "link": self = .link
    case "relink": self = .relink
    default: self = .other(rawValue)
    }
  }

  public var rawValue: String {
    if case .other(let name) = self { name } else { "\(self)" }
  }
}
