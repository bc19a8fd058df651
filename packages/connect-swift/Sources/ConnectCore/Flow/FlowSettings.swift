/// What a flow is opened with, without its callbacks.
package struct FlowSettings: Sendable {
  package let base: BaseAddress
  package let token: String?
  package var options: InitOptions
  package let texts: ConnectTexts
  package let system: LoginSystem

  package init(
    base: BaseAddress, token: String?, options: InitOptions, texts: ConnectTexts,
    system: LoginSystem
  ) {
    self.base = base
    self.token = token
    self.options = options
    self.texts = texts
    self.system = system
  }

  package init(_ configuration: ConnectConfiguration, system: LoginSystem) {
    self.init(
      base: configuration.base, token: configuration.linkSessionToken,
      options: InitOptions(
        applicationName: configuration.applicationName,
        theme: configuration.theme.map { .object($0.json) } ?? .null,
        appearance: configuration.appearance.rawValue, locale: configuration.language,
        closeOnSuccess: configuration.closeOnSuccess),
      texts: ConnectTexts(language: configuration.language), system: system)
  }
}

/// The options of `init`. Source: connect 8.
package struct InitOptions: Sendable, Hashable {
  package var applicationName: String?
  package var theme: JSONValue
  package var appearance: String
  package var locale: String
  package var device = "mobile"
  package var platform = "ios"
  package var closeOnSuccess: Bool
  package var sdkName = ConnectVersion.name
  package var sdkVersion = ConnectVersion.version

  package init(
    applicationName: String?, theme: JSONValue, appearance: String, locale: String,
    closeOnSuccess: Bool
  ) {
    self.applicationName = applicationName
    self.theme = theme
    self.appearance = appearance
    self.locale = locale
    self.closeOnSuccess = closeOnSuccess
  }

  package var wire: JSONValue {
    [
      "application_name": JSONValue(applicationName), "theme": theme,
      "appearance": .string(appearance), "locale": .string(locale), "device": .string(device),
      "platform": .string(platform), "close_on_success": .bool(closeOnSuccess),
      "inline": false, "oauth_window": "popup",
      "sdk": ["name": .string(sdkName), "version": .string(sdkVersion)],
    ]
  }

  /// The only message that contains the token.
  func payload(token: String?, continueURL: String?) -> JSONValue {
    var members: [String: JSONValue] = ["options": wire]
    members["link_session_token"] = token.map(JSONValue.string)
    members["continue_url"] = continueURL.map(JSONValue.string)
    return .object(members)
  }
}
