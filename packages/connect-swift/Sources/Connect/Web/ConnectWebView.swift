#if canImport(UIKit)
  import ConnectCore
  import WebKit

  /// The WebView of one flow. An app cannot weaken these settings.
  @MainActor final class ConnectWebView {
    let view: WKWebView
    private let relay = BridgeRelay()
    private let navigation: NavigationGuard

    init(navigation: NavigationGuard) {
      self.navigation = navigation
      let configuration = WKWebViewConfiguration()
      // Connect stores nothing in the page; data of a bank's page is removed with the flow.
      configuration.websiteDataStore = .nonPersistent()
      configuration.preferences.javaScriptCanOpenWindowsAutomatically = false
      configuration.userContentController.add(relay, name: BridgeRelay.name)
      view = WKWebView(frame: .zero, configuration: configuration)
      view.navigationDelegate = navigation
      view.uiDelegate = navigation
      view.allowsBackForwardNavigationGestures = false
      view.allowsLinkPreview = false
      view.scrollView.contentInsetAdjustmentBehavior = .never
      view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.isOpaque = false
      view.backgroundColor = .systemBackground
      #if DEBUG
        view.isInspectable = true
      #endif
    }

    func listen(_ listener: any BridgeListener & NavigationListener) {
      relay.listener = listener
      navigation.listener = listener
    }

    func load(_ address: String) {
      guard let url = URL(string: address) else { return }
      view.load(URLRequest(url: url))
    }

    func run(_ script: String) {
      view.evaluateJavaScript(script)
    }

    /// Messages of the page are ignored after this.
    func close() {
      relay.listener = nil
      navigation.listener = nil
      view.stopLoading()
      view.configuration.userContentController.removeScriptMessageHandler(
        forName: BridgeRelay.name)
    }
  }
#endif
