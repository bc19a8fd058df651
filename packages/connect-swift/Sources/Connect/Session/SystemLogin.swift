#if canImport(UIKit)
  import AuthenticationServices
  import ConnectCore

  /// The bank's login in the system's own browser session, which a WebView must not replace: banks
  /// refuse WebViews, and an app could read the input there.
  @MainActor final class SystemLogin: NSObject, ASWebAuthenticationPresentationContextProviding {
    private var session: ASWebAuthenticationSession?
    private let isEphemeral: Bool
    weak var anchor: ASPresentationAnchor?
    /// With the attempt that ended: a session that was replaced reports its end late.
    var onEnd: (_ attempt: Int, FlowInput.AuthEnd) -> Void = { _, _ in }

    init(isEphemeral: Bool) {
      self.isEphemeral = isEphemeral
    }

    func open(_ address: String, attempt: Int, way: LoginWay) {
      guard let url = URL(string: address) else { return onEnd(attempt, .failed) }
      guard let session = makeSession(url, attempt, way) else { return openOutside(url, attempt) }
      self.session = session
      session.presentationContextProvider = self
      session.prefersEphemeralWebBrowserSession = isEphemeral
      if !session.start() {
        self.session = nil
        onEnd(attempt, .failed)
      }
    }

    func close() {
      session?.cancel()
      session = nil
    }

    private func makeSession(
      _ url: URL, _ attempt: Int, _ way: LoginWay
    ) -> ASWebAuthenticationSession? {
      // The system may call this on any queue, so it must not inherit the main actor.
      let ended: @Sendable (URL?, (any Error)?) -> Void = { [weak self] url, error in
        let code = (error as? ASWebAuthenticationSessionError)?.code
        let end: FlowInput.AuthEnd =
          url.map { .returned(url: $0.absoluteString) }
          ?? (code == .canceledLogin ? .cancelled : .failed)
        Task { @MainActor in self?.onEnd(attempt, end) }
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

    /// The end comes as a universal link, or not at all: the user then continues with the page's own "cancel".
    private func openOutside(_ url: URL, _ attempt: Int) {
      UIApplication.shared.open(url, options: [:]) { [weak self] isOpen in
        if !isOpen { self?.onEnd(attempt, .failed) }
      }
    }

    nonisolated func presentationAnchor(
      for session: ASWebAuthenticationSession
    ) -> ASPresentationAnchor {
      MainActor.assumeIsolated { anchor ?? ASPresentationAnchor() }
    }
  }
#endif
