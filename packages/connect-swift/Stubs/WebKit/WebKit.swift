// Written by us, not by Apple: see Stubs/README.md.
@_exported import UIKit

@MainActor public final class WKWebsiteDataStore: NSObject {
  public let isPersistent: Bool
  init(isPersistent: Bool) { self.isPersistent = isPersistent }
  public static func `default`() -> WKWebsiteDataStore { .init(isPersistent: true) }
  public static func nonPersistent() -> WKWebsiteDataStore { .init(isPersistent: false) }
}

@MainActor public final class WKPreferences: NSObject {
  public var javaScriptCanOpenWindowsAutomatically = true
}

@MainActor public final class WKUserContentController: NSObject {
  /// Of the stub: the handlers, by name.
  public var handlers: [String: any WKScriptMessageHandler] = [:]
  public func add(_ handler: any WKScriptMessageHandler, name: String) { handlers[name] = handler }
  public func removeScriptMessageHandler(forName name: String) { handlers[name] = nil }
}

@MainActor public protocol WKScriptMessageHandler: NSObjectProtocol {
  func userContentController(
    _ controller: WKUserContentController, didReceive message: WKScriptMessage)
}

@MainActor public final class WKSecurityOrigin: NSObject {
  public let `protocol`: String
  public let host: String
  /// 0 is the default port.
  public let port: Int
  public init(protocol: String, host: String, port: Int) {
    self.protocol = `protocol`
    self.host = host
    self.port = port
  }
}

@MainActor public final class WKFrameInfo: NSObject {
  public let isMainFrame: Bool
  public let securityOrigin: WKSecurityOrigin
  public init(isMainFrame: Bool, securityOrigin: WKSecurityOrigin) {
    self.isMainFrame = isMainFrame
    self.securityOrigin = securityOrigin
  }
}

@MainActor public final class WKScriptMessage: NSObject {
  public let body: Any
  public let name: String
  public let frameInfo: WKFrameInfo
  public init(body: Any, name: String, frameInfo: WKFrameInfo) {
    self.body = body
    self.name = name
    self.frameInfo = frameInfo
  }
}

@MainActor public final class WKWebViewConfiguration: NSObject {
  public var websiteDataStore = WKWebsiteDataStore.default()
  public var userContentController = WKUserContentController()
  public var preferences = WKPreferences()
}

@MainActor public final class WKNavigation: NSObject {}

@MainActor open class WKWebView: UIView {
  public let configuration: WKWebViewConfiguration
  public weak var navigationDelegate: (any WKNavigationDelegate)?
  public weak var uiDelegate: (any WKUIDelegate)?
  public var allowsBackForwardNavigationGestures = true
  public var allowsLinkPreview = true
  public var isInspectable = false
  public let scrollView = UIScrollView()
  public var url: URL?
  /// Of the stub: what was loaded and which scripts ran.
  public private(set) var loaded: [URL] = []
  public private(set) var scripts: [String] = []
  public private(set) var isStopped = false

  public init(frame: CGRect, configuration: WKWebViewConfiguration) {
    self.configuration = configuration
    super.init(frame: frame)
  }
  public required init?(coder: NSCoder) { nil }

  @discardableResult public func load(_ request: URLRequest) -> WKNavigation? {
    // Another fragment alone is another place in the same page, which is not loaded.
    let isSamePage = url.map(Self.page) == request.url.map(Self.page)
    url = request.url
    if let url, !isSamePage { loaded.append(url) }
    return WKNavigation()
  }

  nonisolated private static func page(_ url: URL) -> Substring? {
    url.absoluteString.split(separator: "#", maxSplits: 1).first
  }

  public func stopLoading() { isStopped = true }

  public func evaluateJavaScript(
    _ script: String, completionHandler: (@MainActor @Sendable (Any?, (any Error)?) -> Void)? = nil
  ) {
    scripts.append(script)
    completionHandler?(nil, nil)
  }
}
