//! Prints the id and the state of each link of the service at the address in the first argument.

use openapi::apis::{configuration::Configuration, links_api};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let configuration = Configuration {
        base_path: std::env::args().nth(1).expect("an address"),
        ..Configuration::default()
    };
    let page = links_api::links_list(&configuration, /* parameters */)
        .await
        .expect("a page of links");
    for link in page.links {
        println!("{} {}", link.link_id, link.state);
    }
}
