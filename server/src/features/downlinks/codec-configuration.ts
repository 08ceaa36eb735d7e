import { invalid, unavailable } from '../../http/errors.ts'
import { readDownlink } from '../../sensors/codecs/codec-results.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import { advancedSettings } from '../../sensors/settings/advanced.ts'
import { generalSettings } from '../../sensors/settings/general.ts'
import type { CoreServices } from '../core-services.ts'
import { encodeDownlink, findEncoderFault, type OwnType } from '../fleet/device-types/type-codec.ts'
import {
  type Configuration,
  type EnteredConfiguration,
  isSet,
  nothingSet,
  readShape,
  refuse,
} from './config-field.ts'
import type { CodecForm } from './form-sections.ts'
import { codecFields, readCodecFields } from './form-sections.ts'

/** The organization's own type whose codec encodes downlinks. Undefined for a built-in type. */
export function ownTypeOf(
  organizationId: number,
  { id, type_id: typeId }: { id: number; type_id: number },
): OwnType | undefined {
  return typeId >= firstCustomTypeId ? { organizationId, typeId, deviceId: id } : undefined
}

/** The codec's part of the form for devices of this type. Undefined for a built-in type. */
export async function findCodecForm(
  services: CoreServices,
  organizationId: number,
  typeId: number,
): Promise<CodecForm | undefined> {
  if (typeId < firstCustomTypeId) return undefined
  const note = await findEncoderFault(services, { organizationId, typeId })
  return { fields: note === undefined ? codecFields : [], note }
}

/**
 * Encodes the entered configuration with the type's codec. Throws a 422 that names every fault,
 * with the codec's message if the codec refuses the input. Throws a 503 if no codec can run at the
 * moment. The message goes to `usualPort` if neither the user nor the codec chooses a port.
 */
export async function encodeByCodec(
  services: CoreServices,
  type: OwnType,
  entered: EnteredConfiguration,
  usualPort: number,
): Promise<Configuration> {
  const { config_type: section, islorawan: _, codec_data, codec_port, ...others } = entered
  if (section !== 'sensor') {
    const message = `This type of device has no ${section} settings that can be sent.`
    throw refuseOne('config_type', message)
  }
  // The form sends the fields of all sections. Those of the other sections have no effect.
  const { faults } = readShape([generalSettings, advancedSettings], section, others)
  const read = readCodecFields({ codec_data, codec_port })
  const messages = 'errors' in read ? Object.entries(read.errors) : []
  for (const [name, message] of messages) faults.set(name, message)
  if ('errors' in read || faults.size > 0) throw refuse(faults)
  if (!isSet(codec_data) && !isSet(codec_port)) throw invalid({ config_field: [nothingSet] })
  const { data, port } = read
  const outcome = await encodeDownlink(services, type, { data, fPort: port ?? usualPort })
  if (!outcome.ok && outcome.failure === 'busy') throw unavailable(1)
  const downlink = readDownlink(outcome)
  if ('error' in downlink) throw refuseOne('codec_data', downlink.error)
  const { bytes, fPort, warnings } = downlink
  if (port !== undefined && fPort !== undefined && port !== fPort) {
    throw refuseOne('codec_port', `The codec sends this to port ${fPort}.`)
  }
  return {
    section,
    fieldValues: { codec_data: JSON.stringify(data), codec_warnings: warnings },
    payload: bytes,
    fPort: port ?? fPort ?? usualPort,
  }
}

function refuseOne(name: string, message: string) {
  return refuse(new Map([[name, message]]))
}
