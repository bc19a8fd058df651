#if canImport(UIKit)
  import ConnectCore

  @MainActor final class FlowTimers {
    private var running: [FlowTimer: Task<Void, Never>] = [:]
    var onTick: (FlowTimer) -> Void = { _ in }

    func start(_ timer: FlowTimer) {
      stop(timer)
      running[timer] = Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(timer.milliseconds))
        if !Task.isCancelled { self?.onTick(timer) }
      }
    }

    func stop(_ timer: FlowTimer) {
      running.removeValue(forKey: timer)?.cancel()
    }

    func stopAll() {
      for timer in FlowTimer.allCases { stop(timer) }
    }
  }
#endif
