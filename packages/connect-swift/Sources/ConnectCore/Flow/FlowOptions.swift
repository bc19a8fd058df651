/// The settings that all flows of an app share.
package struct FlowSetup: Sendable, Hashable {
  package let base: BaseAddress
  package let system: LoginSystem
  var platform = "ios"
  var sdkName = ConnectVersion.name
  var sdkVersion = ConnectVersion.version

  package init(base: BaseAddress, system: LoginSystem) {
    self.base = base
    self.system = system
  }
}

/// The appearance of one flow.
package struct FlowOptions: Sendable, Hashable {
  var applicationName: String?
  var theme: JSONValue
  var appearance: String?
  var locale: String
  var closeOnSuccess: Bool

  package init(
    applicationName: String? = nil, theme: JSONValue = .null, appearance: String? = nil,
    locale: String, closeOnSuccess: Bool = true
  ) {
    self.applicationName = applicationName
    self.theme = theme
    self.appearance = appearance
    self.locale = locale
    self.closeOnSuccess = closeOnSuccess
  }

  package init(_ configuration: ConnectConfiguration) {
    self.init(
      applicationName: configuration.applicationName,
      theme: configuration.theme.map { .object($0.json) } ?? .null,
      appearance: configuration.appearance.rawValue, locale: configuration.language,
      closeOnSuccess: configuration.closeOnSuccess)
  }

  /// The payload of `init`, the only message that contains the token. Source: connect 8.
  func initPayload(token: String?, continueURL: String?, setup: FlowSetup) -> JSONValue {
    var members: [String: JSONValue] = [
      "options": [
        "application_name": JSONValue(applicationName), "theme": theme,
        "appearance": .string(appearance ?? "system"), "locale": .string(locale),
        "device": "mobile", "platform": .string(setup.platform),
        "close_on_success": .bool(closeOnSuccess), "inline": false,
        // In a WebView the system opens the bank, so this value has no effect.
        "oauth_window": "popup",
        "sdk": ["name": .string(setup.sdkName), "version": .string(setup.sdkVersion)],
      ]
    ]
    members["link_session_token"] = token.map(JSONValue.string)
    members["continue_url"] = continueURL.map(JSONValue.string)
    return .object(members)
  }
}
