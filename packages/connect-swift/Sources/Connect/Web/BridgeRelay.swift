#if canImport(UIKit)
  import WebKit

  /// Messages of the hosted app, with the frame they came from.
  @MainActor protocol BridgeListener: AnyObject {
    func received(_ text: String, origin: String, isMainFrame: Bool)
  }

  /// WebKit keeps its message handler alive. This one holds no strong reference in turn.
  @MainActor final class BridgeRelay: NSObject, WKScriptMessageHandler {
    /// `window.webkit.messageHandlers.connect` in the page.
    static let name = "connect"
    weak var listener: (any BridgeListener)?

    func userContentController(
      _ controller: WKUserContentController, didReceive message: WKScriptMessage
    ) {
      guard message.name == Self.name, let text = message.body as? String else { return }
      listener?.received(
        text, origin: Self.address(of: message.frameInfo.securityOrigin),
        isMainFrame: message.frameInfo.isMainFrame)
    }

    private static func address(of origin: WKSecurityOrigin) -> String {
      // WebKit writes IPv6 hosts without the brackets of an address, and 0 for a default port.
      let isBareIPv6 = origin.host.contains(":") && !origin.host.hasPrefix("[")
      let host = isBareIPv6 ? "[\(origin.host)]" : origin.host
      let port = origin.port == 0 ? "" : ":\(origin.port)"
      return "\(origin.protocol)://\(host)\(port)"
    }
  }
#endif
