// Written by us, not by Apple: see Stubs/README.md.

public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow }
public enum WKNavigationResponsePolicy: Int, Sendable { case cancel, allow }
public enum WKNavigationType: Int, Sendable {
  case linkActivated, formSubmitted
  case other = -1
}

@MainActor public final class WKNavigationAction: NSObject {
  public let request: URLRequest
  public let targetFrame: WKFrameInfo?
  public let navigationType: WKNavigationType
  public init(request: URLRequest, targetFrame: WKFrameInfo?, navigationType: WKNavigationType) {
    self.request = request
    self.targetFrame = targetFrame
    self.navigationType = navigationType
  }
}

@MainActor public final class WKNavigationResponse: NSObject {
  public let response: URLResponse
  public let isForMainFrame: Bool
  public init(response: URLResponse, isForMainFrame: Bool) {
    self.response = response
    self.isForMainFrame = isForMainFrame
  }
}

@MainActor public final class WKWindowFeatures: NSObject {}

/// The methods are optional in Apple's protocol; here each has a default.
@MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
  func webView(
    _ webView: WKWebView, decidePolicyFor action: WKNavigationAction,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void)
  func webView(
    _ webView: WKWebView, decidePolicyFor response: WKNavigationResponse,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void)
  func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!)
  func webView(
    _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!,
    withError error: any Error)
  func webView(
    _ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)
  func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor public protocol WKUIDelegate: NSObjectProtocol {
  func webView(
    _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
    for action: WKNavigationAction, windowFeatures: WKWindowFeatures
  ) -> WKWebView?
}
