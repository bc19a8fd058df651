#!/bin/sh
# Builds the package with Apple's SDK and runs its tests, on a Mac with Xcode 16 or later. No machine of
# this project has run it: everything here was compiled against stub modules of ours.
set -eu
cd "$(dirname "$0")"

swift --version
# The machine, the rules and the codec, with the cases that every SDK runs.
swift test -Xswiftc -warnings-as-errors
# UIKit, WebKit, AuthenticationServices and SwiftUI as Apple declares them.
xcodebuild build -scheme Connect -destination 'generic/platform=iOS' -skipPackagePluginValidation \
  OTHER_SWIFT_FLAGS=-warnings-as-errors
xcodebuild docbuild -scheme Connect -destination 'generic/platform=iOS' -quiet
plutil -lint Sources/Connect/PrivacyInfo.xcprivacy
if [ -d ../../examples/connect-ios ]; then
  xcodebuild build -project ../../examples/connect-ios/PocketLedger.xcodeproj -scheme PocketLedger \
    -destination 'generic/platform=iOS Simulator' CODE_SIGNING_ALLOWED=NO
fi

cat <<'LIST'
Built. On a device, by hand:
  1. Link Credentials Bank; the keyboard covers no field; the code field offers the code.
  2. Link OAuth Bank: the system asks before it opens, and the return closes its sheet.
  3. Cancel that sheet: the screen offers to open it again.
  4. Open OAuth Bank, end the app in the app switcher, finish at the bank: the app resumes.
  5. Airplane mode: "could not be loaded", try again, close.
  6. VoiceOver reads the spinner, the failure and each screen; the two-finger scrub goes back.
  7. Largest text size, dark appearance, landscape, iPad: nothing is cut off.
  8. An https redirect_uri on iOS 17.4 or later, and on 16.4.
LIST
