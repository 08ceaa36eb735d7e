// Logs in, lists devices, registers one, reads uplinks and exports them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"try/fleet"
)

func main() {
	configuration := fleet.NewConfiguration()
	configuration.Servers = fleet.ServerConfigurations{{URL: os.Getenv("LORA_URL")}}
	client := fleet.NewAPIClient(configuration)
	ctx := context.Background()

	credentials := fleet.NewLogInRequest(os.Getenv("LORA_EMAIL"), os.Getenv("LORA_PASSWORD"))
	login, _, err := client.AuthenticationAPI.LogIn(ctx).LogInRequest(*credentials).Execute()
	check(err)
	ctx = context.WithValue(ctx, fleet.ContextAccessToken, login.LogInLoggedIn.Token)
	organization := login.LogInLoggedIn.Organizations[0].Id

	key := strings.Repeat("00", 16)
	body := fleet.NewRegisterDeviceRequest(10, "Door", os.Getenv("LORA_NEW_EUI"), key, 16,
		fleet.REGISTERMETHOD_USER_ACCOUNT, "confirm")
	body.SetConsoleOnly(true)
	registered, _, err := client.DevicesAPI.RegisterDevice(ctx).Organization(organization).
		RegisterDeviceRequest(*body).Execute()
	check(err)
	listed, _, err := client.DevicesAPI.ListDevices(ctx).Organization(organization).Execute()
	check(err)
	uplinks, _, err := client.UplinksAPI.ListDeviceUplinks(ctx, os.Getenv("LORA_EUI")).
		Organization(organization).Execute()
	check(err)
	lines, _, err := client.FleetAPI.ExportFleetUplinksNdjson(ctx).Organization(organization).Execute()
	check(err)
	text, err := json.Marshal(map[string]any{
		"registered": registered.RegisterDeviceConfirm.Device.DeviceId,
		"devices":    len(listed.ListDevicesPaginated.Data),
		"uplinks":    len(uplinks.Data),
		"lines":      strings.Count(lines, "\n"),
	})
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
