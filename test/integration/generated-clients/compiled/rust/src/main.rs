//! Prints each link, the size of the body of each event, and a token, of the service at the first argument.

use openapi::apis::{configuration::Configuration, links_api, sandbox_api, webhooks_api};
use openapi::models::{SandboxCreateLinkRequest, SandboxCreateLinkResult};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let configuration = Configuration {
        base_path: std::env::args().nth(1).expect("an address"),
        ..Configuration::default()
    };
    let page = links_api::links_list(&configuration, /* parameters of links */)
        .await
        .expect("a page of links");
    for link in page.links {
        println!("{} {}", link.link_id, link.state);
    }
    let page = webhooks_api::webhooks_list_events(&configuration, /* parameters of events */)
        .await
        .expect("a page of events");
    for event in page.events {
        println!("{} {}", event.webhook_event, event.body.len());
    }
    let request = SandboxCreateLinkRequest::default();
    let made = sandbox_api::sandbox_create_link(&configuration, request, None)
        .await
        .expect("a token");
    match made {
        SandboxCreateLinkResult::CreatedSandboxToken(token) => {
            println!("{}", token.exchangeable_token)
        }
        SandboxCreateLinkResult::CreatedSandboxLink(created) => println!("{}", created.link_id),
    }
}
