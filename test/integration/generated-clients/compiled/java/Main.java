import org.openapitools.client.ApiClient;
import org.openapitools.client.api.LinksApi;

/** Prints the id and the state of each link of the service at the address in the first argument. */
class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    new LinksApi(client)
        .linksList(/* parameters */)
        .getLinks()
        .forEach(link -> System.out.println(link.getLinkId() + " " + link.getState()));
  }
}
