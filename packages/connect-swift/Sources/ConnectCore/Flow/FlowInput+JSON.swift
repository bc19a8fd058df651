// The form of setups and inputs in packages/connect-vectors/flows, and in the lines of the driver.

extension FlowSetup {
  /// - Returns: nil when a flow cannot be opened with it
  package init?(json: JSONValue) {
    guard let base = BaseAddress(json["base"]?.string ?? "") else { return nil }
    self.init(
      base: base,
      system: LoginSystem(
        platform: json["system"]?.string ?? "ios", version: json["system_version"]?.string))
    if let platform = json["platform"]?.string { self.platform = platform }
    if let name = json["sdk"]?["name"]?.string { sdkName = name }
    if let version = json["sdk"]?["version"]?.string { sdkVersion = version }
  }
}

extension FlowOptions {
  package init(json: JSONValue) {
    self.init(
      applicationName: json["application_name"]?.string, theme: json["theme"] ?? .null,
      appearance: json["appearance"]?.string, locale: json["locale"]?.string ?? "en",
      closeOnSuccess: json["close_on_success"]?.bool ?? true)
  }
}

extension FlowStart {
  init(json: JSONValue) {
    self.init(
      token: json["link_session_token"]?.string, channel: json["channel"]?.string ?? "",
      options: FlowOptions(json: json["options"] ?? .null))
  }
}

extension FlowInput {
  /// - Returns: nil for an unknown input
  package init?(json: JSONValue) {
    let url = json["url"]?.string ?? ""
    let address = json["address"]?.string ?? ""
    let isMainFrame = json["main_frame"]?.bool ?? false
    switch json["type"]?.string {
    case "present": self = .present(FlowStart(json: json))
    case "opened": self = .opened(url: url, token: json["link_session_token"]?.string)
    case "resume": self = .resume(url: url, FlowStart(json: json))
    case "message":
      self = .message(
        text: json["text"]?.string ?? "", origin: json["origin"]?.string ?? "",
        isMainFrame: isMainFrame)
    case "navigate":
      self = .navigate(
        address: address, isMainFrame: isMainFrame, byUser: json["by_user"]?.bool ?? false,
        newWindow: json["new_window"]?.bool ?? false)
    case "arrived": self = .arrived(address: address)
    case "load_failed":
      guard let failure = LoadFailure(rawValue: json["cause"]?.string ?? "") else { return nil }
      self = .loadFailed(failure)
    case "auth_ended":
      guard let end = AuthEnd(json: json) else { return nil }
      self = .authEnded(attempt: Int(json["attempt"]?.number ?? 0), end)
    case "link": self = .link(url: url)
    case "exit": self = .exit(force: json["force"]?.bool ?? false)
    case "back": self = .back
    case "close": self = .close
    case "try_again": self = .tryAgain
    case "restyle":
      self = .restyle(theme: json["theme"] ?? .null, appearance: json["appearance"]?.string)
    case "tick":
      guard let timer = FlowTimer(rawValue: json["timer"]?.string ?? "") else { return nil }
      self = .tick(timer)
    case "unmount": self = .unmount
    default: return nil
    }
  }
}

extension FlowInput.AuthEnd {
  init?(json: JSONValue) {
    switch json["outcome"]?.string {
    case "returned": self = .returned(url: json["url"]?.string ?? "")
    case "cancelled": self = .cancelled
    case "dismissed": self = .dismissed
    case "failed": self = .failed
    default: return nil
    }
  }
}
