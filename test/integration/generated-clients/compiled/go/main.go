// Prints each link, the size of the body of each event, and a token, of the service at the first argument.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
)

func main() {
	client, err := NewClientWithResponses(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.LinksListWithResponse(context.Background(), &LinksListParams{})
	if err != nil {
		log.Fatal(err)
	}
	if response.JSON200 == nil {
		log.Fatal(response.Status())
	}
	for _, link := range response.JSON200.Links {
		fmt.Println(link.LinkId, link.State)
	}
	events, err := client.WebhooksListEventsWithResponse(context.Background(), &WebhooksListEventsParams{})
	if err != nil {
		log.Fatal(err)
	}
	for _, event := range events.JSON200.Events {
		fmt.Println(event.WebhookEvent, len(event.Body))
	}
	made, err := client.SandboxCreateLinkWithResponse(
		context.Background(), &SandboxCreateLinkParams{}, SandboxCreateLinkRequest{})
	if err != nil {
		log.Fatal(err)
	}
	token, err := made.JSON200.AsCreatedSandboxToken()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.ExchangeableToken)
}
