#if canImport(UIKit)
  import UIKit

  extension UIView {
    /// The style of a native screen: nothing behind it is seen, or read by VoiceOver.
    func coverPage() {
      backgroundColor = .systemBackground
      autoresizingMask = [.flexibleWidth, .flexibleHeight]
      accessibilityViewIsModal = true
    }
  }
#endif
