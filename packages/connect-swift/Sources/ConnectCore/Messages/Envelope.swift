/// Every message between SDK and hosted app. Source: connect 8.
package struct Envelope: Sendable, Hashable {
  package let channel: String
  package let type: String
  package let payload: JSONValue

  package init(channel: String, type: String, payload: JSONValue = [:]) {
    self.channel = channel
    self.type = type
    self.payload = payload
  }

  /// - Returns: nil for anything but a message of this channel; it is ignored silently
  package init?(_ text: String, channel: String) {
    guard let message = JSONReader.read(text), message["ns"] == "connect", message["v"] == 1,
      message["channel"]?.string?.utf8.elementsEqual(channel.utf8) == true,
      let type = message["type"]?.string,
      let payload = message["payload"], payload.object != nil
    else { return nil }
    self.init(channel: channel, type: type, payload: payload)
  }

  package var wire: JSONValue {
    [
      "ns": "connect", "v": 1, "channel": .string(channel), "type": .string(type),
      "payload": payload,
    ]
  }

  /// Calls the hosted app's receiver, as the text of a script.
  package var script: String {
    let literal = JSONWriter.scriptLiteral(JSONWriter.write(wire))
    return "window.__connectReceive && window.__connectReceive(\(literal)); true;"
  }
}
