# The worker, in a workerd that lets it call this computer.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "TRIBUTARY_URL", fromEnvironment = "TRIBUTARY_URL"),
    (name = "CLIENT_ID", fromEnvironment = "CLIENT_ID"),
    (name = "CLIENT_SECRET", fromEnvironment = "CLIENT_SECRET"),
  ],
);
