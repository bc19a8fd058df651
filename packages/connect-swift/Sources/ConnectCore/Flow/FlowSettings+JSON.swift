// The form of settings in the traces of packages/connect-vectors and in the driver's first line.

extension FlowSettings {
  /// - Returns: nil when a flow cannot be opened with them
  package init?(json: JSONValue) {
    let token = json["link_session_token"]?.string
    guard let base = BaseAddress(json["connect_base_url"]?.string ?? ""),
      token.map(LinkSessionToken.isValid) ?? true
    else { return nil }
    let options = InitOptions(json: json)
    self.init(
      base: base, token: token, options: options, texts: ConnectTexts(language: options.locale),
      system: LoginSystem(
        platform: json["system"]?.string ?? "ios", version: json["system_version"]?.string))
  }
}

extension InitOptions {
  package init(json: JSONValue) {
    self.init(
      applicationName: json["application_name"]?.string, theme: json["theme"] ?? .null,
      appearance: json["appearance"]?.string ?? "system", locale: json["locale"]?.string ?? "en",
      closeOnSuccess: json["close_on_success"]?.bool ?? true)
    if let platform = json["platform"]?.string { self.platform = platform }
    if let name = json["sdk"]?["name"]?.string { sdkName = name }
    if let version = json["sdk"]?["version"]?.string { sdkVersion = version }
  }
}
