import org.openapitools.client.ApiClient;
import org.openapitools.client.api.LinksApi;
import org.openapitools.client.api.SandboxApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.SandboxCreateLinkRequest;

/** Prints each link, the size of the body of each event, and a token, of the service at the first argument. */
class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    new LinksApi(client)
        .linksList(/* parameters of links */)
        .getLinks()
        .forEach(link -> System.out.println(link.getLinkId() + " " + link.getState()));
    new WebhooksApi(client)
        .webhooksListEvents(/* parameters of events */)
        .getEvents()
        .forEach(event -> System.out.println(event.getWebhookEvent() + " " + event.getBody().size()));
    System.out.println(
        new SandboxApi(client)
            .sandboxCreateLink(new SandboxCreateLinkRequest(), null)
            .getCreatedSandboxToken()
            .getExchangeableToken());
  }
}
