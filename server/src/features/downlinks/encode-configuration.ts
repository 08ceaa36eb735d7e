import type { Caller } from '../../http/endpoint.ts'
import { isPort } from '../../sensors/codecs/codec-results.ts'
import type { BriefDevice } from '../inventory/brief-device-queries.ts'
import { encodeByCodec, ownTypeOf } from './codec-configuration.ts'
import { type Configuration, type EnteredConfiguration, readConfiguration } from './config-field.ts'
import type { DownlinkServices } from './downlink-services.ts'

/** The port on which these sensors send unless another port is configured. */
const defaultPort = 2

/** Encodes the entered configuration for a device, or throws a 422 that names every fault. */
export async function encodeConfiguration(
  services: DownlinkServices,
  { organizationId }: Pick<Caller, 'organizationId'>,
  device: Pick<BriefDevice, 'id' | 'type_id' | 'latest_port'>,
  entered: EnteredConfiguration,
): Promise<Configuration> {
  const usualPort = choosePort(device)
  const ownType = ownTypeOf(organizationId, device)
  return ownType
    ? encodeByCodec(services, ownType, entered, usualPort)
    : readConfiguration(device.type_id, entered, usualPort)
}

/**
 * The port of the latest uplink. The sensor sends on the port that was configured in it, by this
 * service or by another system.
 */
function choosePort({ latest_port: port }: Pick<BriefDevice, 'latest_port'>): number {
  return isPort(port) ? port : defaultPort
}
