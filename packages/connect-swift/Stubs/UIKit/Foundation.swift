// Written by us, not by Apple: see Stubs/README.md.
@_exported import Foundation

// Elsewhere than on Apple's systems, Foundation has requests and responses in a module of their own.
#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
