@_exported import ConnectCore
