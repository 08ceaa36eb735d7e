// Gateways at AWS IoT Core for LoRaWAN: AWS IoT Wireless API reference, CreateWirelessGateway.
import {
  CreateWirelessGatewayCommand,
  DeleteWirelessGatewayCommand,
  GetWirelessGatewayCommand,
  type GetWirelessGatewayResponse,
  paginateListWirelessGateways,
  UpdateWirelessGatewayCommand,
} from '@aws-sdk/client-iot-wireless'
import { toListed } from '../answer-fields.ts'
import { isConflict } from '../aws/errors.ts'
import type { ListedThing, NetworkGateway } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { limitPages } from '../pages.ts'
import { allowMissing } from '../rest.ts'
import type { Session } from './client.ts'

/** Adopts a gateway that exists: every gateway that an AWS account lists is its own. */
export async function addGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const band = toBand(gateway)
  try {
    await createGateway(session, gateway, band)
  } catch (error) {
    if (!isConflict(error)) throw error
    const found = await findGateway(session, gateway.gatewayEui)
    if (!found) throw error
    if (found.LoRaWAN?.RfRegion !== band) {
      throw new NetworkError(
        'refused',
        `The gateway ${gateway.gatewayEui} is in this AWS account already, for ${found.LoRaWAN?.RfRegion}; AWS cannot change that to ${band}.`,
      )
    }
    await writeGateway(session, found.Id, gateway)
  }
}

export async function updateGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const found = await findGateway(session, gateway.gatewayEui)
  if (!found) {
    throw new NetworkError('refused', `AWS has no gateway with the EUI ${gateway.gatewayEui}.`)
  }
  await writeGateway(session, found.Id, gateway)
}

export async function removeGateway(session: Session, gatewayEui: string): Promise<void> {
  const found = await findGateway(session, gatewayEui)
  if (!found) return
  await allowMissing(session.wireless.send(new DeleteWirelessGatewayCommand({ Id: found.Id })))
}

export async function* listGateways({ wireless }: Session): AsyncGenerator<ListedThing[]> {
  const pages = paginateListWirelessGateways({ client: wireless }, { MaxResults: 100 })
  for await (const page of limitPages('AWS', pages)) {
    yield (page.WirelessGatewayList ?? []).flatMap(({ Name, LoRaWAN }) =>
      toListed(LoRaWAN?.GatewayEui, Name),
    )
  }
}

/** AS923 is the first of AWS's four groups for it, the one that the form offers. */
function toBand({ region }: NetworkGateway): string | undefined {
  return region === 'AS923' ? 'AS923-1' : region
}

async function createGateway(
  { wireless }: Session,
  { gatewayEui, name, description }: NetworkGateway,
  band: string | undefined,
): Promise<void> {
  await wireless.send(
    new CreateWirelessGatewayCommand({
      Name: name,
      ...(description === undefined ? {} : { Description: description }),
      LoRaWAN: { GatewayEui: gatewayEui.toLowerCase(), RfRegion: band },
    }),
  )
}

async function writeGateway(
  { wireless }: Session,
  id: string | undefined,
  { name, description }: NetworkGateway,
): Promise<void> {
  await wireless.send(
    new UpdateWirelessGatewayCommand({
      Id: id,
      Name: name,
      ...(description === undefined ? {} : { Description: description }),
    }),
  )
}

async function findGateway(
  { wireless }: Session,
  gatewayEui: string,
): Promise<GetWirelessGatewayResponse | undefined> {
  const query = { Identifier: gatewayEui.toLowerCase(), IdentifierType: 'GatewayEui' } as const
  return allowMissing(wireless.send(new GetWirelessGatewayCommand(query)))
}
