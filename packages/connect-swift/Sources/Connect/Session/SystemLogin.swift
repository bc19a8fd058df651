#if canImport(UIKit)
  import AuthenticationServices
  import ConnectCore

  /// The bank's login in the system's own browser session, which a WebView must not replace: banks
  /// refuse WebViews, and an app could read what is typed there.
  @MainActor final class SystemLogin: NSObject, ASWebAuthenticationPresentationContextProviding {
    private var session: ASWebAuthenticationSession?
    /// A session that was replaced reports its end late; it is not the end of the new one.
    private var generation = 0
    private let isEphemeral: Bool
    weak var anchor: ASPresentationAnchor?
    var onEnd: (FlowInput.AuthEnd) -> Void = { _ in }

    init(isEphemeral: Bool) {
      self.isEphemeral = isEphemeral
    }

    func open(_ address: String, way: LoginWay) {
      close()
      guard let url = URL(string: address) else { return onEnd(.failed) }
      guard let session = makeSession(url, way) else { return openOutside(url) }
      self.session = session
      session.presentationContextProvider = self
      session.prefersEphemeralWebBrowserSession = isEphemeral
      if !session.start() {
        self.session = nil
        onEnd(.failed)
      }
    }

    func close() {
      generation += 1
      session?.cancel()
      session = nil
    }

    private func makeSession(_ url: URL, _ way: LoginWay) -> ASWebAuthenticationSession? {
      let generation = self.generation
      // The system may call this on any queue, so it must not inherit the main actor.
      let ended: @Sendable (URL?, (any Error)?) -> Void = { [weak self] url, error in
        let code = (error as? ASWebAuthenticationSessionError)?.code
        let end: FlowInput.AuthEnd =
          url.map { .url($0.absoluteString) } ?? (code == .canceledLogin ? .cancelled : .failed)
        Task { @MainActor in self?.ended(end, generation) }
      }
      switch way {
      case .scheme(let scheme):
        return ASWebAuthenticationSession(
          url: url, callbackURLScheme: scheme, completionHandler: ended)
      case .https(let host, let path):
        guard #available(iOS 17.4, *) else { return nil }
        return ASWebAuthenticationSession(
          url: url, callback: .https(host: host, path: path), completionHandler: ended)
      case .browser: return nil
      }
    }

    private func ended(_ end: FlowInput.AuthEnd, _ generation: Int) {
      guard generation == self.generation else { return }
      session = nil
      onEnd(end)
    }

    /// The end comes as a universal link, or not at all: then the page's own "cancel" is the way on.
    private func openOutside(_ url: URL) {
      let generation = self.generation
      UIApplication.shared.open(url, options: [:]) { [weak self] isOpen in
        if !isOpen { self?.ended(.failed, generation) }
      }
    }

    nonisolated func presentationAnchor(
      for session: ASWebAuthenticationSession
    ) -> ASPresentationAnchor {
      MainActor.assumeIsolated { anchor ?? ASPresentationAnchor() }
    }
  }
#endif
