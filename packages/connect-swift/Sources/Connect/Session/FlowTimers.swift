#if canImport(UIKit)
  import ConnectCore

  /// The time limits of a flow.
  @MainActor final class FlowTimers {
    /// Returns when that time has passed, and throws when its task is canceled before.
    typealias Sleep = @MainActor (Duration) async throws -> Void

    private var running: [FlowTimer: Task<Void, Never>] = [:]
    private let sleep: Sleep
    var onTick: (FlowTimer) -> Void = { _ in }

    init(sleep: @escaping Sleep = { try await Task.sleep(for: $0) }) {
      self.sleep = sleep
    }

    /// Restarts a running timer.
    func start(_ timer: FlowTimer, milliseconds: Int) {
      stop(timer)
      running[timer] = Task { [weak self, sleep] in
        try? await sleep(.milliseconds(milliseconds))
        if !Task.isCancelled { self?.onTick(timer) }
      }
    }

    func stop(_ timer: FlowTimer) {
      running.removeValue(forKey: timer)?.cancel()
    }
  }
#endif
