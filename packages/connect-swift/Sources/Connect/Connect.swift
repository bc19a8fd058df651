// The configuration, the payloads and the theme belong to the API of this module. On systems
// without UIKit they are all there is.
@_exported import ConnectCore
