// The form of effects in the traces of packages/connect-vectors and in the lines of the driver.

extension FlowEffect {
  package var json: JSONValue {
    switch self {
    case .load(let address): ["type": "load", "address": .string(address)]
    case .send(let message): ["type": "send", "message": message.wire]
    case .openAuth(let address, let way):
      ["type": "open_auth", "address": .string(address), "way": way.json]
    case .closeAuth: ["type": "close_auth"]
    case .openOutside(let address): ["type": "open_outside", "address": .string(address)]
    case .startTimer(let timer):
      ["type": "timer", "name": .string(timer.rawValue), "ms": .number(Double(timer.milliseconds))]
    case .stopTimer(let timer): ["type": "timer", "name": .string(timer.rawValue), "ms": nil]
    case .call(let callback):
      ["type": "call", "callback": .string(callback.name), "payload": callback.payload]
    case .show(let screen): ["type": "show", "screen": .string(screen.rawValue)]
    case .remove: ["type": "remove"]
    }
  }
}

extension FlowCallback {
  var name: String {
    switch self {
    case .ready: "ready"
    case .event: "event"
    case .error: "error"
    case .success: "success"
    case .exit: "exit"
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
