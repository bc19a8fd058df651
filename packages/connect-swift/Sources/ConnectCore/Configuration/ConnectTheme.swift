/// The look of Connect: a partial set of the tokens of connect 10. Missing tokens keep the value of
/// the session's theme, or the built-in one.
///
/// ```swift
/// let theme = ConnectTheme()
///   .color(.accent, "#0a6b4f", dark: "#41c79a")
///   .shape(.radiusControl, points: 12)
/// ```
public struct ConnectTheme: Sendable, Hashable, Codable {
  /// The theme as the hosted app receives it; tokens without a method here are set in it.
  public var json: [String: JSONValue]

  public init(json: [String: JSONValue] = [:]) {
    self.json = json
  }

  public init(from decoder: any Decoder) throws {
    json = try [String: JSONValue](from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  /// A CSS color, and the one of dark appearance where it differs.
  public func color(_ token: ColorToken, _ light: String, dark: String? = nil) -> ConnectTheme {
    let color: JSONValue =
      dark.map { ["light": .string(light), "dark": .string($0)] } ?? .string(light)
    return setting("colors", token.rawValue, color)
  }

  /// The family must be installed, or come from `url`, an https address.
  public func font(family: String, url: String? = nil) -> ConnectTheme {
    let theme = setting("typography", "font_family", .string(family))
    return url.map { theme.setting("typography", "font_url", .string($0)) } ?? theme
  }

  public func textStyle(
    _ token: TextStyleToken, size: Double? = nil, lineHeight: Double? = nil, weight: Int? = nil
  ) -> ConnectTheme {
    var style: [String: JSONValue] = [:]
    style["size"] = size.map(Self.length)
    style["line_height"] = lineHeight.map(Self.length)
    style["weight"] = weight.map { .number(Double($0)) }
    return setting("typography", token.rawValue, .object(style))
  }

  public func shape(_ token: ShapeToken, points: Double) -> ConnectTheme {
    setting("shape", token.rawValue, Self.length(points))
  }

  public func spacing(_ token: SpacingToken, points: Double) -> ConnectTheme {
    setting("spacing", token.rawValue, Self.length(points))
  }

  public func text(_ token: TextToken, _ text: String) -> ConnectTheme {
    setting("texts", token.rawValue, .string(text))
  }

  /// One text for each locale.
  public func text(_ token: TextToken, _ text: [String: String]) -> ConnectTheme {
    setting("texts", token.rawValue, .object(text.mapValues(JSONValue.string)))
  }

  /// Any token by its name in connect 10, such as `button`, `use_institution_color`.
  public func setting(_ group: String, _ token: String, _ value: JSONValue) -> ConnectTheme {
    var theme = self
    var tokens = json[group]?.object ?? [:]
    tokens[token] = value
    theme.json[group] = .object(tokens)
    return theme
  }

  private static func length(_ points: Double) -> JSONValue {
    .string(JSONWriter.write(.number(points)) + "px")
  }
}

extension ConnectTheme {
  public enum ColorToken: String, Sendable, CaseIterable {
    case accent, background, surface, text, border, separator, fill, success, warning, error, focus
    case overlay
    case onAccent = "on_accent"
    case textMuted = "text_muted"
    case textSubtle = "text_subtle"
  }

  public enum TextStyleToken: String, Sendable, CaseIterable {
    case title, heading, body, button, input
    case bodySmall = "body_small"
  }

  public enum ShapeToken: String, Sendable, CaseIterable {
    case radiusControl = "radius_control"
    case radiusCard = "radius_card"
    case radiusDialog = "radius_dialog"
    case borderWidth = "border_width"
  }

  public enum SpacingToken: String, Sendable, CaseIterable {
    case gap
    case insetHorizontal = "inset_horizontal"
    case controlHeight = "control_height"
    case headerHeight = "header_height"
  }

  public enum TextToken: String, Sendable, CaseIterable {
    case finderTitle = "finder_title"
    case finderSubtitle = "finder_subtitle"
    case searchPlaceholder = "search_placeholder"
    case successTitle = "success_title"
  }
}
