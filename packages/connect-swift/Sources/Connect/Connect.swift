// The configuration, the payloads and the theme belong to the API of this module. On systems
// without UIKit the module contains only these.
@_exported import ConnectCore
