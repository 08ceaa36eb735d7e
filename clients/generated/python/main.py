"""Logs in, lists devices, registers one, reads uplinks and exports them."""

import json
import os

import fleet

configuration = fleet.Configuration(host=os.environ["LORA_URL"])
with fleet.ApiClient(configuration) as api:
    credentials = fleet.LogInRequest(
        email=os.environ["LORA_EMAIL"], password=os.environ["LORA_PASSWORD"]
    )
    login = fleet.AuthenticationApi(api).log_in(credentials).actual_instance
    configuration.access_token = login.token
    organization = login.organizations[0].id

    devices = fleet.DevicesApi(api)
    eui = os.environ["LORA_NEW_EUI"]
    registration = fleet.RegisterDeviceRequest(
        network=10,
        device_name="Door",
        device_id=eui,
        device_key="00" * 16,
        device_type=16,
        register_method=fleet.RegisterMethod.USER_ACCOUNT,
        console_only=True,
        action="confirm",
    )
    registered = devices.register_device(registration, organization=organization)
    listed = devices.list_devices(organization=organization).actual_instance
    uplinks = fleet.UplinksApi(api).list_device_uplinks(
        os.environ["LORA_EUI"], organization=organization
    )
    lines = (
        fleet.FleetApi(api)
        .export_fleet_uplinks_ndjson_without_preload_content(organization=organization)
        .data
    )
    print(
        json.dumps(
            {
                "registered": registered.actual_instance.device.device_id,
                "devices": len(listed.data),
                "uplinks": len(uplinks.data),
                "lines": len(lines.splitlines()),
            }
        )
    )
