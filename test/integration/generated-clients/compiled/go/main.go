// Prints the id and the state of each link of the service at the address in the first argument.
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
}
