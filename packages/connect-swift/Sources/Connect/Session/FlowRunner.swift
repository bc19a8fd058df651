#if canImport(UIKit)
  import ConnectCore
  import UIKit

  /// Runs one flow: passes inputs to the machine, and performs the effects in their order.
  @MainActor final class FlowRunner: BridgeListener, NavigationListener {
    /// Rule 11: in the memory of the process, by the Connect that a token belongs to.
    static var keptTokens: [BaseAddress: String] = [:]
    /// Rule 5: in the memory of the process, too.
    static var endedReturns: Set<String> = []

    let controller: ConnectViewController
    private let base: BaseAddress
    private let setup: FlowSetup
    private var machine: FlowMachine
    private let login: SystemLogin
    private let timers: FlowTimers
    private var effects: [FlowEffect] = []
    private var isPaused = false
    var onCall: (FlowCallback) -> Void = { _ in }
    /// The view is being removed. Effects continue when it is gone, so that a callback can present another view.
    var onRemove: (_ whenGone: @escaping () -> Void) -> Void = { $0() }
    var onEnded: () -> Void = {}
    /// The service has answered for a flow that is not open.
    var onAnswer: ((_ isResumable: Bool) -> Void)?
    private(set) var isAsking = false

    init(_ configuration: ConnectConfiguration, timers: FlowTimers) {
      self.timers = timers
      let version = ProcessInfo.processInfo.operatingSystemVersion
      setup = FlowSetup(
        base: configuration.base,
        system: LoginSystem(iOS: [version.majorVersion, version.minorVersion]))
      base = configuration.base
      machine = Self.newMachine(setup)
      login = SystemLogin(isEphemeral: configuration.prefersEphemeralLogin)
      controller = ConnectViewController(
        base: configuration.base, texts: ConnectTexts(language: configuration.language),
        appearance: configuration.appearance)
      controller.web.listen(self)
      controller.onInput = { [weak self] in self?.handle($0) }
      controller.onDismissedByApp = { [weak self] in self?.handle(.unmount) }
      login.onEnd = { [weak self] in self?.handle(.authEnded(attempt: $0, $1)) }
      timers.onTick = { [weak self] in self?.handle(.tick($0)) }
    }

    /// With the state that the process keeps of other flows.
    private static func newMachine(_ setup: FlowSetup) -> FlowMachine {
      FlowMachine(setup, keptToken: keptTokens[setup.base], endedReturns: endedReturns)
    }

    func start(_ configuration: ConnectConfiguration) {
      // Another flow may have ended while the service was asked for this one.
      if isOver { machine = Self.newMachine(setup) }
      let start = FlowStart(
        token: configuration.linkSessionToken, channel: Self.randomChannel(),
        options: FlowOptions(configuration))
      let returnURL = configuration.returnURL?.absoluteString
      handle(returnURL.map { .resume(url: $0, start) } ?? .present(start))
    }

    var isOver: Bool { machine.state == .idle }

    func handle(_ input: FlowInput) {
      let before = machine.keptToken
      let caused = machine.handle(input, at: Int(Date().timeIntervalSince1970 * 1000))
      keep(machine.keptToken, insteadOf: before)
      Self.endedReturns.formUnion(machine.endedReturns)
      // After this no callback is called, not even a pending one.
      if case .unmount = input { effects.removeAll { if case .call = $0 { true } else { false } } }
      effects += caused
      runEffects()
    }

    /// A flow that deletes its token keeps that of a newer flow.
    private func keep(_ token: String?, insteadOf before: String?) {
      guard token != before, token != nil || Self.keptTokens[base] == before else { return }
      Self.keptTokens[base] = token
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
      if isOver { onEnded() }
    }

    private func remove() {
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
      case .openAuth(let attempt, let address, _, let way):
        login.anchor = controller.view.window
        login.open(address, attempt: attempt, way: way)
      case .closeAuth: login.close()
      case .ask(let url, let token): ask(url, token)
      case .openOutside(let address): open(address)
      case .timer(let timer, let milliseconds?): timers.start(timer, milliseconds: milliseconds)
      case .timer(let timer, nil): timers.stop(timer)
      case .call(_, let callback): onCall(callback)
      case .show(let screen): controller.show(screen)
      case .remove: break
      case .warn(let text): NSLog("Connect: %@", text)
      }
    }

    private func ask(_ url: String, _ token: String?) {
      isAsking = true
      Task {
        let isResumable = await ReturnQuestion.ask(base, url: url, token: token)
        isAsking = false
        let isRunning = machine.state != .idle && machine.state != .lastScreen
        if !isRunning { onAnswer?(isResumable) } else if isResumable { handle(.link(url: url)) }
      }
    }

    private func open(_ address: String) {
      if let url = URL(string: address) { UIApplication.shared.open(url, options: [:]) }
    }

    // MARK: Inputs of the page

    func received(_ text: String, origin: String, isMainFrame: Bool) {
      handle(.message(text: text, origin: origin, isMainFrame: isMainFrame))
    }

    func arrived(_ address: String) {
      handle(.arrived(address: address))
    }

    func navigates(to address: String, isMainFrame: Bool, byUser: Bool, newWindow: Bool) {
      handle(
        .navigate(
          address: address, isMainFrame: isMainFrame, byUser: byUser, newWindow: newWindow))
    }

    func loadFailed(_ failure: FlowInput.LoadFailure) {
      handle(.loadFailed(failure))
    }

    /// 128 random bits in base64url.
    private static func randomChannel() -> String {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return Data(bytes).base64URL
    }
  }
#endif
