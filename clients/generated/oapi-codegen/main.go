// Logs in, lists devices, registers one, reads uplinks and exports them.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"try/fleet"
)

func main() {
	ctx := context.Background()
	token := ""
	bearer := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client, err := fleet.NewClientWithResponses(os.Getenv("LORA_URL"), fleet.WithRequestEditorFn(bearer))
	check(err)
	login, err := client.LogInWithResponse(ctx, fleet.LogInRequest{
		Email: os.Getenv("LORA_EMAIL"), Password: os.Getenv("LORA_PASSWORD"),
	})
	check(err)
	session, err := login.JSON200.AsLogInLoggedIn()
	check(err)
	token = session.Token
	organization := session.Organizations[0].Id

	consoleOnly := true
	registered, err := client.RegisterDeviceWithResponse(ctx,
		&fleet.RegisterDeviceParams{Organization: &organization},
		fleet.RegisterDeviceRequest{
			Network: 10, DeviceName: "Door", DeviceId: os.Getenv("LORA_NEW_EUI"),
			DeviceKey: strings.Repeat("00", 16), DeviceType: 16, RegisterMethod: "user_account",
			ConsoleOnly: &consoleOnly, Action: "confirm",
		})
	check(err)
	confirmed, err := registered.JSON200.AsRegisterDeviceConfirm()
	check(err)
	listed, err := client.ListDevicesWithResponse(ctx, &fleet.ListDevicesParams{Organization: &organization})
	check(err)
	page, err := listed.JSON200.AsListDevicesPaginated()
	check(err)
	uplinks, err := client.ListDeviceUplinksWithResponse(ctx, os.Getenv("LORA_EUI"),
		&fleet.ListDeviceUplinksParams{Organization: &organization})
	check(err)
	lines, err := client.ExportFleetUplinksNdjsonWithResponse(ctx,
		&fleet.ExportFleetUplinksNdjsonParams{Organization: &organization})
	check(err)
	text, err := json.Marshal(map[string]any{
		"registered": confirmed.Device.DeviceId,
		"devices":    len(page.Data),
		"uplinks":    len(uplinks.JSON200.Data),
		"lines":      bytes.Count(lines.Body, []byte("\n")),
	})
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
