// The form of inputs in the traces of packages/connect-vectors and in the lines of the driver.

extension FlowInput {
  /// - Returns: nil for an unknown input
  package init?(json: JSONValue) {
    switch json["type"]?.string {
    case "present": self = .present
    case "resume": self = .resume(url: json["url"]?.string ?? "")
    case "message":
      self = .message(
        text: json["text"]?.string ?? "", origin: json["origin"]?.string ?? "",
        isMainFrame: json["main_frame"]?.bool ?? false)
    case "moved": self = .moved(to: json["address"]?.string ?? "")
    case "load_failed":
      guard let failure = LoadFailure(rawValue: json["reason"]?.string ?? "") else { return nil }
      self = .loadFailed(failure)
    case "auth_ended":
      guard let end = AuthEnd(json: json) else { return nil }
      self = .authEnded(end)
    case "link": self = .link(url: json["url"]?.string ?? "")
    case "exit": self = .exit(force: json["force"]?.bool ?? false)
    case "back": self = .back
    case "retry": self = .retry
    case "restyle":
      self = .restyle(
        theme: json["theme"] ?? .null, appearance: json["appearance"]?.string ?? "system")
    case "tick":
      guard let timer = FlowTimer(rawValue: json["timer"]?.string ?? "") else { return nil }
      self = .tick(timer)
    case "destroy": self = .destroy
    default: return nil
    }
  }
}

extension FlowInput.AuthEnd {
  init?(json: JSONValue) {
    if let url = json["url"]?.string {
      self = .url(url)
      return
    }
    switch json["end"]?.string {
    case "cancelled": self = .cancelled
    case "dismissed": self = .dismissed
    case "failed": self = .failed
    default: return nil
    }
  }
}
