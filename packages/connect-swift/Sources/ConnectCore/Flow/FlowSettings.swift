/// What a flow is opened with, without its callbacks.
struct FlowSettings: Sendable {
  let base: BaseAddress
  let token: String?
  var options: InitOptions
  let closeOnSuccess: Bool
  let texts: ConnectTexts
  let system: LoginSystem
}

/// The options of `init`. Source: connect 8.
struct InitOptions: Sendable, Hashable {
  var applicationName: String?
  var theme: JSONValue
  var appearance: String
  var locale: String
  var device = "mobile"
  var platform = "ios"
  var closeOnSuccess: Bool
  var sdkName = ConnectVersion.name
  var sdkVersion = ConnectVersion.version

  var wire: JSONValue {
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
