#if canImport(UIKit)
  import ConnectCore
  import WebKit

  @MainActor protocol NavigationListener: AnyObject {
    func shows(_ address: String)
    func loadFailed(_ failure: FlowInput.LoadFailure)
    func openOutside(_ url: URL)
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

    /// - Returns: whether the WebView loads it; an address for the system's browser is opened there
    private func decide(_ action: WKNavigationAction) -> Bool {
      guard let url = action.request.url else { return false }
      switch Navigation.decide(
        url.absoluteString, base: base, isMainFrame: action.targetFrame?.isMainFrame ?? false,
        byUser: action.navigationType == .linkActivated, newWindow: action.targetFrame == nil)
      {
      case .load: return true
      case .outside:
        listener?.openOutside(url)
        return false
      case .refuse: return false
      }
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
      if let url = webView.url { listener?.shows(url.absoluteString) }
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

    /// A link that wants a window of its own has been decided about before; no window is made.
    func webView(
      _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
      for action: WKNavigationAction, windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
      nil
    }
  }
#endif
