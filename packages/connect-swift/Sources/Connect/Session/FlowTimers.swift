#if canImport(UIKit)
  import ConnectCore

  @MainActor final class FlowTimers {
    private var running: [FlowTimer: Task<Void, Never>] = [:]
    var onTick: (FlowTimer) -> Void = { _ in }

    /// Starts it again if it runs.
    func start(_ timer: FlowTimer, milliseconds: Int) {
      stop(timer)
      running[timer] = Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(milliseconds))
        if !Task.isCancelled { self?.onTick(timer) }
      }
    }

    func stop(_ timer: FlowTimer) {
      running.removeValue(forKey: timer)?.cancel()
    }
  }
#endif
