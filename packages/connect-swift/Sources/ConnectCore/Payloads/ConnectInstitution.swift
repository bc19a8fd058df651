/// The institution the end user chose. Colors are CSS colors, `logoURL` is an address of the service.
public struct ConnectInstitution: ConnectPayload {
  public var institutionID: String
  public var name: String
  public var country: String
  public var domain: String?
  public var color: String?
  public var colorDark: String?
  public var logoURL: String?

  public init?(wire: JSONValue) {
    guard let id = wire["institution_id"]?.string else { return nil }
    institutionID = id
    name = wire["name"]?.string ?? ""
    country = wire["country"]?.string ?? ""
    domain = wire["domain"]?.string
    color = wire["color"]?.string
    colorDark = wire["color_dark"]?.string
    logoURL = wire["logo_url"]?.string
  }

  public var wire: JSONValue {
    [
      "institution_id": .string(institutionID), "name": .string(name),
      "country": .string(country), "domain": JSONValue(domain), "color": JSONValue(color),
      "color_dark": JSONValue(colorDark), "logo_url": JSONValue(logoURL),
    ]
  }
}
