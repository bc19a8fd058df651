// The form of effects in packages/connect-vectors/flows, and in the lines of the driver.

extension FlowEffect {
  package var json: JSONValue {
    switch self {
    case .load(let address): ["type": "load", "address": .string(address)]
    case .send(let message): ["type": "send", "envelope": message.wire]
    case .openAuth(let attempt, let address, let redirectURI, let way):
      [
        "type": "open_auth", "attempt": .number(Double(attempt)), "address": .string(address),
        "redirect_uri": .string(redirectURI), "way": way.json,
      ]
    case .closeAuth(let attempt): ["type": "close_auth", "attempt": .number(Double(attempt))]
    case .ask(let url, let token):
      ["type": "ask", "url": .string(url), "link_session_token": JSONValue(token)]
    case .openOutside(let address): ["type": "open_outside", "address": .string(address)]
    case .timer(let timer, let milliseconds):
      [
        "type": "timer", "name": .string(timer.rawValue),
        "ms": milliseconds.map { .number(Double($0)) } ?? .null,
      ]
    case .call(let flow, let callback):
      [
        "type": "call", "flow": .number(Double(flow)), "callback": .string(callback.name),
        "payload": callback.payload,
      ]
    case .show(let screen): ["type": "show", "view": .string(screen.rawValue)]
    case .remove: ["type": "remove"]
    case .warn(let text): ["type": "warn", "text": .string(text)]
    }
  }
}

extension FlowCallback {
  var name: String {
    switch self {
    case .ready: "onReady"
    case .event: "onEvent"
    case .error: "onError"
    case .success: "onSuccess"
    case .exit: "onExit"
    }
  }

  var payload: JSONValue {
    switch self {
    case .ready: nil
    case .event(let event): event.wire
    case .error(let error): error.wire
    case .success(let success): success.wire
    case .exit(let exit): exit.wire
    }
  }
}

extension LoginWay {
  package var json: JSONValue {
    switch self {
    case .scheme(let scheme): ["way": "scheme", "scheme": .string(scheme)]
    case .https(let host, let path):
      ["way": "https", "host": .string(host), "path": .string(path)]
    case .browser: ["way": "browser"]
    }
  }
}
