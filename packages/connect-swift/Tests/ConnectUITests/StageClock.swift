/// Time that passes on a test's command.
@MainActor final class StageClock {
  private var now = Duration.zero
  private var nextID = 0
  private var sleepers: [Int: (until: Duration, wake: CheckedContinuation<Void, any Error>)] = [:]

  var isAwaited: Bool { !sleepers.isEmpty }

  func sleep(_ duration: Duration) async throws {
    nextID += 1
    let (id, until) = (nextID, now + duration)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleepers[id] = (until, $0) }
    } onCancel: {
      Task { @MainActor in
        self.sleepers.removeValue(forKey: id)?.wake.resume(throwing: CancellationError())
      }
    }
  }

  func pass(_ duration: Duration) {
    now += duration
    for (id, sleeper) in sleepers where sleeper.until <= now {
      sleepers[id] = nil
      sleeper.wake.resume()
    }
  }
}
