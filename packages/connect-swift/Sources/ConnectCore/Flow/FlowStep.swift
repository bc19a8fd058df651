/// What one input does to the machine, and the effects it causes.
struct FlowStep {
  var machine: FlowMachine
  let channel: String
  let now: String
  var effects: [FlowEffect] = []

  init(machine: FlowMachine, channel: String, now: String) {
    self.machine = machine
    self.channel = channel
    self.now = now
  }

  mutating func take(_ input: FlowInput) {
    if machine.state == .ended { return }
    switch input {
    case .present: present(continueURL: nil)
    case .resume(let url): resume(url)
    case .message(let text, let origin, let isMainFrame):
      receive(text, origin: origin, isMainFrame: isMainFrame)
    case .moved(let address):
      if !machine.settings.base.isHome(of: address) { reload() }
    case .loadFailed(.contentEnded): reload()
    case .loadFailed: fail()
    case .authEnded(let end): authEnded(end)
    case .link(let url): returned(url)
    case .exit(let force): requestExit(force: force, .programmatic)
    case .back: back()
    case .retry: retry()
    case .restyle(let theme, let appearance): restyle(theme, appearance)
    case .tick(let timer): tick(timer)
    case .destroy: destroy()
    }
  }

  mutating func emit(_ effect: FlowEffect) {
    effects.append(effect)
  }

  mutating func call(_ calls: [FlowCallback]) {
    effects += calls.map(FlowEffect.call)
  }

  mutating func send(_ type: String, _ payload: JSONValue = [:]) {
    emit(.send(Envelope(channel: machine.channel, type: type, payload: payload)))
  }

  mutating func start(_ timer: FlowTimer) {
    emit(.startTimer(timer))
  }

  mutating func stop(_ timer: FlowTimer) {
    emit(.stopTimer(timer))
  }
}

// MARK: Loading

extension FlowStep {
  mutating func present(continueURL: String?) {
    guard machine.state == .idle else { return }
    machine.continueURL = continueURL
    load()
  }

  mutating func resume(_ url: String) {
    guard let stateID = ReturnAddress.stateID(of: url) else { return }
    machine.takenStates.insert(stateID)
    present(continueURL: url)
  }

  mutating func load() {
    machine.channel = channel
    machine.state = .loading
    machine.unacknowledged = nil
    let base = machine.settings.base
    emit(.show(.loading))
    start(.hello)
    emit(
      .load(
        address: machine.continueURL == nil
          ? base.start(channel: channel) : base.continue(channel: channel)))
  }

  /// The content was terminated, or the page is elsewhere: loaded again with the same token, at most
  /// twice a minute.
  mutating func reload() {
    guard machine.state == .loading || machine.state == .open else {
      // Behind a last screen there is nothing to restore.
      if machine.state == .notice { leave() }
      return
    }
    guard machine.reloads < 2 else { return fail() }
    if machine.reloads == 0 { start(.reloads) }
    machine.reloads += 1
    // An address that was not taken yet goes on at `/continue`.
    if let unacknowledged = machine.unacknowledged { machine.continueURL = unacknowledged.url }
    stop(.acknowledgement)
    load()
  }

  mutating func retry() {
    guard machine.state == .failed else { return }
    machine.failure = nil
    load()
  }

  mutating func fail() {
    guard machine.state == .loading || machine.state == .open else { return }
    stop(.hello)
    stop(.acknowledgement)
    let error = machine.settings.texts.unavailable()
    machine.failure = error
    machine.state = .failed
    emit(.show(.failure))
    call(machine.callbacks.error(error))
  }

  mutating func restyle(_ theme: JSONValue, _ appearance: String) {
    machine.settings.options.theme = theme
    machine.settings.options.appearance = appearance
    guard machine.state == .open || machine.state == .notice else { return }
    send("theme", ["theme": theme, "appearance": .string(appearance)])
  }

  mutating func tick(_ timer: FlowTimer) {
    switch timer {
    case .hello: if machine.state == .loading { fail() }
    case .acknowledgement: continueElsewhere()
    case .exit: end(machine.exitReason)
    case .reloads: machine.reloads = 0
    }
  }
}
