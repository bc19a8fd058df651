#if canImport(UIKit)
  import UIKit

  /// Shown until the page has sent `hello`; it can always be closed.
  @MainActor final class LoadingView: UIView {
    let closeButton: UIButton
    private let spinner = UIActivityIndicatorView(style: .large)

    init(loadingText: String, closeText: String, onClose: @escaping @MainActor () -> Void) {
      closeButton = UIButton(type: .close, primaryAction: UIAction { _ in onClose() })
      closeButton.accessibilityLabel = closeText
      super.init(frame: .zero)
      coverPage()
      spinner.accessibilityLabel = loadingText
      spinner.startAnimating()
      for view in [spinner, closeButton] {
        view.translatesAutoresizingMaskIntoConstraints = false
        addSubview(view)
      }
      NSLayoutConstraint.activate([
        spinner.centerXAnchor.constraint(equalTo: centerXAnchor),
        spinner.centerYAnchor.constraint(equalTo: centerYAnchor),
        closeButton.topAnchor.constraint(equalTo: safeAreaLayoutGuide.topAnchor, constant: 12),
        closeButton.trailingAnchor.constraint(
          equalTo: safeAreaLayoutGuide.trailingAnchor, constant: -16),
      ])
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
  }
#endif
