#if canImport(UIKit)
  import ConnectCore
  import UIKit

  /// One flow: opened once, ended by exactly one of `onSuccess` and `onExit`. It keeps itself alive
  /// while it is open.
  @MainActor public final class ConnectSession {
    /// The flow that is open now; there is at most one.
    public private(set) static var current: ConnectSession?

    public let configuration: ConnectConfiguration
    /// From its opening to its final callback.
    public private(set) var isOpen = false
    private var appearance: ConnectAppearance
    private let timers: FlowTimers
    /// Created on demand: SwiftUI creates sessions that it does not use.
    private lazy var runner = makeRunner()
    private var outcome: ConnectOutcome?
    /// The reason that the latest attempt to open it was ignored.
    private var refusal: ConnectRefusal?
    private var waiting: [CheckedContinuation<Result<ConnectOutcome, ConnectRefusal>, Never>] = []
    private var isPresented = false
    private var isDestroyed = false
    /// From its opening to the last effect of its end: it may end in a callback of its own, after which
    /// others follow.
    private var keptAlive: ConnectSession?
    /// In SwiftUI the view is removed by its own state, which then calls ``gone()``.
    var onRemove: (() -> Void)?
    /// The remaining work when the view is gone.
    private var whenGone: (() -> Void)?

    public convenience init(_ configuration: ConnectConfiguration) {
      self.init(configuration, timers: FlowTimers())
    }

    init(_ configuration: ConnectConfiguration, timers: FlowTimers) {
      self.configuration = configuration
      self.timers = timers
      appearance = configuration.appearance
    }

    /// Opens Connect over the whole screen. It is ignored with a warning for each ``ConnectRefusal``,
    /// such as while another flow is open; ``result()`` then throws it.
    ///
    /// With a `returnURL` the service is asked first, so that a link that is used, too old or unknown
    /// covers nothing.
    public func present(from presenter: UIViewController) {
      whenResumable {
        guard self.begin() else { return }
        self.show(over: presenter)
      }
    }

    /// Passes on a link that opened the app, if it is the return of the bank's login.
    /// - Returns: whether this flow is open and the link is such a return; an app may pass on every
    ///   link it gets
    @discardableResult
    public func continueFlow(from url: URL) -> Bool {
      guard isOpen, Self.isReturn(url) else { return false }
      runner.handle(.opened(url: url.absoluteString, token: nil))
      return true
    }

    /// Returns whether a link that opened the app is the return of a bank's login.
    public static func isReturn(_ url: URL) -> Bool {
      ReturnAddress.stateID(of: url.absoluteString) != nil
    }

    /// Continues a flow whose view is gone, or whose app was terminated, while the end user was at the
    /// bank. With a flow open, that one continues. A configuration without a token uses that of the
    /// flow that this process presented last, which is kept until that flow ends. Without any, the
    /// session continues, but its result takes effect only when the back end confirms it for the
    /// signed-in user.
    ///
    /// - Returns: nil when the link is not the return of a bank's login. The session opens once the
    ///   service has confirmed that there is something to continue; for any other return it opens
    ///   nothing, and its ``result()`` throws
    @discardableResult
    public static func resume(
      from url: URL, configuration: ConnectConfiguration, presentingFrom presenter: UIViewController
    ) -> ConnectSession? {
      guard isReturn(url) else { return nil }
      if let current, current.continueFlow(from: url) { return current }
      var configuration = configuration
      configuration.returnURL = url
      let session = ConnectSession(configuration)
      session.present(from: presenter)
      return session
    }

    /// Exits, after a confirmation where progress would be lost; with `force` immediately.
    public func dismiss(force: Bool = false) {
      runner.handle(.exit(force: force))
    }

    /// Applies immediately, even while open. An omitted appearance stays unchanged.
    public func update(theme: ConnectTheme?, appearance: ConnectAppearance? = nil) {
      let appearance = appearance ?? self.appearance
      self.appearance = appearance
      runner.controller.follow(appearance)
      runner.handle(
        .restyle(
          theme: theme.map { .object($0.json) } ?? .null, appearance: appearance.rawValue))
    }

    /// The end of the flow, beside or instead of the callbacks. A flow that the app removes ends as an
    /// exit with reason `programmatic` here, without a callback.
    ///
    /// - Throws: ``ConnectRefusal`` when the session was not opened
    public func result() async throws(ConnectRefusal) -> ConnectOutcome {
      if let outcome { return outcome }
      if let refusal { throw refusal }
      let result = await withCheckedContinuation { waiting.append($0) }
      return try result.get()
    }
  }

  // MARK: Embedded in SwiftUI

  extension ConnectSession {
    func embed() -> UIViewController {
      // SwiftUI may ask for the view of an open flow again. A cover without a flow is closed, after the
      // update in which it asks.
      if Self.current !== self, !begin() { Task { onRemove?() } }
      return runner.controller
    }

    /// The view that the flow had removed is gone; its final callbacks follow.
    func gone() {
      let done = whenGone
      whenGone = nil
      done?()
    }

    /// The app removed the view: everything is released and no callback is called.
    func destroy() {
      isDestroyed = true
      guard whenGone == nil else {
        // The flow had removed it. SwiftUI may be in the middle of an update, and reports the end of a
        // cover only while what presents it is there.
        Task { gone() }
        return
      }
      runner.handle(.unmount)
    }
  }

  // MARK: Links

  extension ConnectSession {
    /// Runs `open` immediately for a flow that starts at its beginning; for a return once the service
    /// has confirmed it, and otherwise `denied`.
    func whenResumable(
      _ open: @escaping @MainActor () -> Void,
      otherwise denied: @escaping @MainActor () -> Void = {}
    ) {
      guard let url = configuration.returnURL else { return open() }
      guard !runner.isAsking else { return }
      if let reason = reasonToRefuse() { return deny(reason, denied) }
      // It keeps the session alive until the answer.
      runner.onAnswer = { isResumable in
        self.runner.onAnswer = nil
        guard isResumable else { return self.deny(.nothingToContinue, denied) }
        // Meanwhile the app may have opened a flow, to which the link need not belong.
        Self.current?.continueFlow(from: url)
        open()
      }
      runner.handle(.opened(url: url.absoluteString, token: configuration.linkSessionToken))
      // The machine knows the processed returns.
      if !runner.isAsking {
        runner.onAnswer = nil
        deny(.returnWasTaken, denied)
      }
    }

    private func deny(_ reason: ConnectRefusal, _ denied: @MainActor () -> Void) {
      _ = refuse(reason)
      denied()
    }
  }

  // MARK: Effects of the flow

  extension ConnectSession {
    private func makeRunner() -> FlowRunner {
      let runner = FlowRunner(configuration, timers: timers)
      runner.onCall = { [weak self] in self?.call($0) }
      runner.onRemove = { [weak self] in self?.remove(whenGone: $0) }
      runner.onEnded = { [weak self] in self?.ended() }
      return runner
    }

    private func begin() -> Bool {
      if let reason = reasonToRefuse() { return refuse(reason) }
      runner.start(configuration)
      // The machine knows the processed returns.
      if runner.isOver { return refuse(.returnWasTaken) }
      // Only the last screen of an ended flow remains, or one whose view the app threw away. One
      // that is calling its final callbacks is gone by itself.
      if let current = Self.current, !current.runner.isOver { current.destroy() }
      Self.current = self
      keptAlive = self
      refusal = nil
      isOpen = true
      return true
    }

    private func reasonToRefuse() -> ConnectRefusal? {
      if Self.current?.isOnScreen == true { return .anotherFlowIsOpen }
      if outcome != nil { return .sessionHasEnded }
      if let url = configuration.returnURL { return Self.isReturn(url) ? nil : .noReturn }
      return configuration.linkSessionToken == nil ? .tokenIsMissing : nil
    }

    private func refuse(_ reason: ConnectRefusal) -> Bool {
      NSLog("Connect was not opened: %@", reason.errorDescription ?? "")
      // An open or finished one has a result of its own.
      guard !isOpen, outcome == nil else { return false }
      refusal = reason
      settle(.failure(reason))
      return false
    }

    private func show(over presenter: UIViewController) {
      isPresented = true
      // A view controller that presents another one already presents nothing more.
      var top = presenter
      while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
      top.present(runner.controller, animated: true)
    }

    private var isOnScreen: Bool {
      if !isOpen { return false }
      // It is being dismissed, or calls its final callbacks.
      if runner.isOver { return whenGone != nil }
      return !isPresented || runner.controller.presentingViewController != nil
    }

    private func call(_ callback: FlowCallback) {
      switch callback {
      case .ready: configuration.onReady?()
      case .event(let event): configuration.onEvent?(event)
      case .error(let error): configuration.onError?(error)
      case .success(let success):
        finish(.success(success))
        configuration.onSuccess?(success)
      case .exit(let exit):
        finish(.exit(exit))
        configuration.onExit?(exit)
      }
    }

    private func finish(_ outcome: ConnectOutcome) {
      isOpen = false
      // Another flow may be opened from the callback.
      if Self.current === self, runner.isOver { Self.current = nil }
      guard self.outcome == nil else { return }
      self.outcome = outcome
      settle(.success(outcome))
    }

    private func settle(_ result: Result<ConnectOutcome, ConnectRefusal>) {
      for continuation in waiting { continuation.resume(returning: result) }
      waiting = []
    }

    private func remove(whenGone: @escaping () -> Void) {
      self.whenGone = whenGone
      if let onRemove {
        onRemove()
        // The view is already gone.
        if isDestroyed { gone() }
        return
      }
      // Inside another view, what presents it is the app's own, and stays.
      guard isPresented, runner.controller.presentingViewController != nil else { return gone() }
      runner.controller.dismiss(animated: !isDestroyed) { self.gone() }
    }

    private func ended() {
      guard keptAlive != nil else { return }
      finish(outcome ?? .exit(.programmatic))
      keptAlive = nil
    }
  }
#endif
