// What an account has at AWS IoT Core for LoRaWAN: ListWirelessDevices, ListWirelessGateways.
import {
  paginateListWirelessDevices,
  paginateListWirelessGateways,
} from '@aws-sdk/client-iot-wireless'
import { isEui } from '../../lora/eui.ts'
import type { ListedThing } from '../network.ts'
import { limitPages } from '../pages.ts'
import type { Session } from './client.ts'

const pageSize = 100

export async function* listDevices({ wireless, account }: Session): AsyncGenerator<ListedThing[]> {
  const query = {
    DestinationName: account.destination,
    WirelessDeviceType: 'LoRaWAN',
    MaxResults: pageSize,
  } as const
  for await (const page of limitPages(
    'AWS',
    paginateListWirelessDevices({ client: wireless }, query),
  )) {
    yield (page.WirelessDeviceList ?? []).flatMap(({ Name, LoRaWAN }) =>
      toThing(LoRaWAN?.DevEui, Name),
    )
  }
}

export async function* listGateways({ wireless }: Session): AsyncGenerator<ListedThing[]> {
  const query = { MaxResults: pageSize }
  for await (const page of limitPages(
    'AWS',
    paginateListWirelessGateways({ client: wireless }, query),
  )) {
    yield (page.WirelessGatewayList ?? []).flatMap(({ Name, LoRaWAN }) =>
      toThing(LoRaWAN?.GatewayEui, Name),
    )
  }
}

function toThing(eui = '', name = ''): ListedThing[] {
  return isEui(eui) ? [{ eui: eui.toUpperCase(), name }] : []
}
