#if canImport(UIKit)
  import ConnectCore
  import UIKit

  /// Runs one flow: hands what happens to the machine, and carries out the effects in their order.
  @MainActor final class FlowRunner: BridgeListener, NavigationListener {
    let controller: ConnectViewController
    private var machine: FlowMachine
    private let login: SystemLogin
    private let timers = FlowTimers()
    private var effects: [FlowEffect] = []
    private var isPaused = false
    var onCall: (FlowCallback) -> Void = { _ in }
    /// The view has to go. Effects go on when it is gone, so that a callback can present another view.
    var onRemove: (_ whenGone: @escaping () -> Void) -> Void = { $0() }
    var onEnded: () -> Void = {}

    init(_ configuration: ConnectConfiguration) {
      let version = ProcessInfo.processInfo.operatingSystemVersion
      let settings = FlowSettings(
        configuration,
        system: LoginSystem(iOS: [version.majorVersion, version.minorVersion]))
      machine = FlowMachine(settings)
      login = SystemLogin(isEphemeral: configuration.prefersEphemeralLogin)
      controller = ConnectViewController(base: settings.base, texts: settings.texts)
      controller.web.listen(self)
      controller.onInput = { [weak self] in self?.handle($0) }
      controller.onDismissedByApp = { [weak self] in self?.handle(.destroy) }
      login.onEnd = { [weak self] in self?.handle(.authEnded($0)) }
      timers.onTick = { [weak self] in self?.handle(.tick($0)) }
    }

    var state: FlowMachine.State { machine.state }

    func handle(_ input: FlowInput) {
      let caused = machine.handle(input, channel: Self.randomChannel(), now: Self.now())
      // After this no callback is called, not even one that was already on its way.
      if case .destroy = input { effects.removeAll { if case .call = $0 { true } else { false } } }
      effects += caused
      runEffects()
    }

    private func runEffects() {
      guard !isPaused else { return }
      // A callback may call into the flow again; its effects wait for those before them.
      isPaused = true
      while !effects.isEmpty {
        let effect = effects.removeFirst()
        if case .remove = effect { return remove() }
        run(effect)
      }
      isPaused = false
      if machine.state == .ended { onEnded() }
    }

    private func remove() {
      timers.stopAll()
      login.close()
      controller.web.close()
      controller.onDismissedByApp = {}
      onRemove { [weak self] in
        self?.isPaused = false
        self?.runEffects()
      }
    }

    private func run(_ effect: FlowEffect) {
      switch effect {
      case .load(let address): controller.web.load(address)
      case .send(let message): controller.web.run(message.script)
      case .openAuth(let address, let way):
        login.anchor = controller.view.window
        login.open(address, way: way)
      case .closeAuth: login.close()
      case .openOutside(let address): URL(string: address).map(openOutside)
      case .startTimer(let timer): timers.start(timer)
      case .stopTimer(let timer): timers.stop(timer)
      case .call(let callback): onCall(callback)
      case .show(let screen): controller.show(screen)
      case .remove: break
      }
    }

    // MARK: What the page does

    func received(_ text: String, origin: String, isMainFrame: Bool) {
      handle(.message(text: text, origin: origin, isMainFrame: isMainFrame))
    }

    func shows(_ address: String) {
      handle(.moved(to: address))
    }

    func loadFailed(_ failure: FlowInput.LoadFailure) {
      handle(.loadFailed(failure))
    }

    func openOutside(_ url: URL) {
      UIApplication.shared.open(url, options: [:])
    }

    // MARK: What the machine is given

    /// 128 random bits in base64url.
    private static func randomChannel() -> String {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return Data(bytes).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
    }

    private static func now() -> String {
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      return String(Date().formatted(style).dropLast())
    }
  }
#endif
