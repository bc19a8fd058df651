#if canImport(UIKit)
  import ConnectCore
  import WebKit

  @MainActor protocol NavigationListener: AnyObject {
    func arrived(_ address: String)
    func loadFailed(_ failure: FlowInput.LoadFailure)
    /// It is not loaded here; it may be opened outside.
    func navigates(to address: String, isMainFrame: Bool, byUser: Bool, newWindow: Bool)
  }

  /// Decides about each address that the page is about to show.
  @MainActor final class NavigationGuard: NSObject, WKNavigationDelegate, WKUIDelegate {
    weak var listener: (any NavigationListener)?
    private let base: BaseAddress

    init(base: BaseAddress) {
      self.base = base
    }

    func webView(
      _ webView: WKWebView, decidePolicyFor action: WKNavigationAction,
      decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
      decisionHandler(decide(action) ? .allow : .cancel)
    }

    /// - Returns: whether the WebView loads it
    private func decide(_ action: WKNavigationAction) -> Bool {
      guard let address = action.request.url?.absoluteString else { return false }
      let isMainFrame = action.targetFrame?.isMainFrame ?? false
      let byUser = action.navigationType == .linkActivated
      let newWindow = action.targetFrame == nil
      let decision = Navigation.decide(
        address, base: base, isMainFrame: isMainFrame, byUser: byUser, newWindow: newWindow)
      if decision != .load {
        listener?.navigates(
          to: address, isMainFrame: isMainFrame, byUser: byUser, newWindow: newWindow)
      }
      return decision == .load
    }

    func webView(
      _ webView: WKWebView, decidePolicyFor response: WKNavigationResponse,
      decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
      let status = (response.response as? HTTPURLResponse)?.statusCode ?? 200
      guard response.isForMainFrame, status >= 400 else { return decisionHandler(.allow) }
      decisionHandler(.cancel)
      listener?.loadFailed(.http)
    }

    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
      if let url = webView.url { listener?.arrived(url.absoluteString) }
    }

    func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!,
      withError error: any Error
    ) {
      failed(error)
    }

    func webView(
      _ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error
    ) {
      failed(error)
    }

    private func failed(_ error: any Error) {
      let error = error as NSError
      // A load that another one replaced, and one that a decision above stopped.
      let isReplaced = error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled
      let isRefused = error.domain == "WebKitErrorDomain" && error.code == 102
      if !isReplaced && !isRefused { listener?.loadFailed(.network) }
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
      listener?.loadFailed(.contentEnded)
    }

    /// A link that requests a window of its own was decided before; no window is created.
    func webView(
      _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
      for action: WKNavigationAction, windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
      nil
    }
  }
#endif
