"""Logs in, lists devices, registers one, reads uplinks and exports them."""

import json
import os

from lo_ra_fleet_api_client import AuthenticatedClient, Client
from lo_ra_fleet_api_client.api.authentication import log_in
from lo_ra_fleet_api_client.api.devices import list_devices, register_device
from lo_ra_fleet_api_client.api.fleet import export_fleet_uplinks_ndjson
from lo_ra_fleet_api_client.api.uplinks import list_device_uplinks
from lo_ra_fleet_api_client.models import (
    LogInRequest,
    RegisterDeviceRequest,
    RegisterDeviceRequestAction,
    RegisterMethod,
)

url = os.environ["LORA_URL"]
credentials = LogInRequest(
    email=os.environ["LORA_EMAIL"], password=os.environ["LORA_PASSWORD"]
)
login = log_in.sync(client=Client(base_url=url), body=credentials)
client = AuthenticatedClient(base_url=url, token=login.token)
organization = login.organizations[0].id

registration = RegisterDeviceRequest(
    network=10,
    device_name="Door",
    device_id=os.environ["LORA_NEW_EUI"],
    device_key="00" * 16,
    device_type=16,
    register_method=RegisterMethod.USER_ACCOUNT,
    console_only=True,
    action=RegisterDeviceRequestAction.CONFIRM,
)
registered = register_device.sync(client=client, body=registration, organization=organization)
listed = list_devices.sync(client=client, organization=organization)
uplinks = list_device_uplinks.sync(
    os.environ["LORA_EUI"], client=client, organization=organization
)
lines = export_fleet_uplinks_ndjson.sync(client=client, organization=organization)
print(
    json.dumps(
        {
            "registered": registered.device.device_id,
            "devices": len(listed.data),
            "uplinks": len(uplinks.data),
            "lines": len(lines.splitlines()),
        }
    )
)
