#if canImport(UIKit)
  import UIKit

  extension UIView {
    /// The style of a native screen: content behind it is neither visible nor read by VoiceOver.
    func coverPage() {
      backgroundColor = .systemBackground
      autoresizingMask = [.flexibleWidth, .flexibleHeight]
      accessibilityViewIsModal = true
    }
  }
#endif
