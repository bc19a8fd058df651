/// The argument of a callback. It has one form on the wire, in `snake_case`, which is also its
/// `Codable` form.
public protocol ConnectPayload: Codable, Sendable, Hashable {
  /// nil when the value cannot be used, such as a success without its token
  init?(wire: JSONValue)
  var wire: JSONValue { get }
}

extension ConnectPayload {
  public init(from decoder: any Decoder) throws {
    let wire = try JSONValue(from: decoder)
    guard let payload = Self(wire: wire) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "Not a \(Self.self)."))
    }
    self = payload
  }

  public func encode(to encoder: any Encoder) throws {
    try wire.encode(to: encoder)
  }
}
