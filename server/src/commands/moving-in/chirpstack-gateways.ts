import type { Session } from '../../networks/chirpstack/client.ts'
import { listGatewayItems } from '../../networks/chirpstack/gateways.ts'
import { makeGateway, type SourceGateway, toPosition } from './source-gateway.ts'

/**
 * Reads the gateways of a tenant of ChirpStack v4. The list has all that the service can keep of them.
 * @throws NetworkError
 */
export async function readChirpStackGateways(session: Session): Promise<SourceGateway[]> {
  const gateways: SourceGateway[] = []
  for await (const page of listGatewayItems(session)) {
    for (const item of page) {
      const location = item.getLocation()
      const position = toPosition(location?.getLatitude(), location?.getLongitude())
      const [name, description] = [item.getName(), item.getDescription()]
      gateways.push(makeGateway(item.getGatewayId(), { name, description, position }))
    }
  }
  return gateways
}
