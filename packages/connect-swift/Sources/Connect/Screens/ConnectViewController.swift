#if canImport(UIKit)
  import ConnectCore
  import UIKit

  /// Holds the page, the spinner before it and the view of a failed load. Created by ``ConnectSession``.
  @MainActor final class ConnectViewController: UIViewController {
    let web: ConnectWebView
    private(set) var loadingView: LoadingView?
    private(set) var failureView: FailureView?
    private let texts: ConnectTexts
    /// The end user's actions on the native screens.
    var onInput: (FlowInput) -> Void = { _ in }
    /// Removed from the screen by the app itself.
    var onDismissedByApp: () -> Void = {}

    init(base: BaseAddress, texts: ConnectTexts, appearance: ConnectAppearance) {
      web = ConnectWebView(navigation: NavigationGuard(base: base))
      self.texts = texts
      super.init(nibName: nil, bundle: nil)
      title = texts.title
      modalPresentationStyle = .fullScreen
      // A swipe must not end an unfinished login.
      isModalInPresentation = true
      follow(appearance)
    }

    /// In the native views; the page follows the message that it gets.
    func follow(_ appearance: ConnectAppearance) {
      overrideUserInterfaceStyle =
        switch appearance {
        case .light: .light
        case .dark: .dark
        case .system: .unspecified
        }
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .systemBackground
      web.view.frame = view.bounds
      view.addSubview(web.view)
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      if isBeingDismissed || parent?.isBeingDismissed == true { onDismissedByApp() }
    }

    /// VoiceOver's two-finger scrub.
    override func accessibilityPerformEscape() -> Bool {
      onInput(.back)
      return true
    }

    func show(_ screen: FlowScreen) {
      loadViewIfNeeded()
      loadingView?.isHidden = screen != .loading
      failureView?.isHidden = screen != .failure
      web.view.isHidden = screen != .web
      switch screen {
      case .loading: cover(with: loading())
      case .failure:
        let failure = failure()
        cover(with: failure, reading: failure.message)
      case .web: UIAccessibility.post(notification: .screenChanged, argument: web.view)
      }
    }

    /// - Parameter element: the element that VoiceOver reads immediately; by default the first one of the view
    private func cover(with view: UIView, reading element: UIView? = nil) {
      view.isHidden = false
      UIAccessibility.post(notification: .screenChanged, argument: element ?? view)
    }

    private func loading() -> LoadingView {
      if let loadingView { return loadingView }
      let made = LoadingView(loadingText: texts.loading, closeText: texts.close) { [weak self] in
        self?.onInput(.close)
      }
      add(made)
      loadingView = made
      return made
    }

    private func failure() -> FailureView {
      if let failureView { return failureView }
      let made = FailureView(
        .init(message: texts.frameUnavailable, tryAgain: texts.tryAgain, close: texts.close),
        onRetry: { [weak self] in self?.onInput(.tryAgain) },
        onClose: { [weak self] in self?.onInput(.close) })
      add(made)
      failureView = made
      return made
    }

    private func add(_ view: UIView) {
      view.frame = self.view.bounds
      self.view.addSubview(view)
    }
  }
#endif
