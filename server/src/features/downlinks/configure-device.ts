import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import type { Caller, RecordChange } from '../../http/endpoint.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { isPort } from '../../sensors/codecs/codec-results.ts'
import { endpoint } from '../core-services.ts'
import type { BriefDevice } from '../fleet/inventory/device-queries.ts'
import { devicePath, readReference } from '../fleet/inventory/references.ts'
import { framePart, toFrameParts } from '../insight/frames/explained-frame.ts'
import { encodeByCodec, ownTypeOf } from './codec-configuration.ts'
import {
  type Configuration,
  configurationBody,
  type EnteredConfiguration,
  readConfiguration,
} from './config-field.ts'
import { isFormToken } from './configuration-form.ts'
import {
  type DownlinkServices,
  partsOfDownlink,
  recordedOnly,
  sendDownlink,
} from './downlink-services.ts'
import { mostWaiting } from './ledger.ts'

/** The port on which these sensors send unless another port is configured. */
const defaultPort = 2

/** Encodes the entered configuration for a device, or throws a 422 that names every fault. */
async function encodeConfiguration(
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

const preview = z
  .object({
    ...withExamples(
      {
        section: z.enum(['sensor', 'general', 'advanced']),
        bytes: z.string().regex(/^([0-9a-f]{2})+$/),
        f_port: z.int(),
        warnings: z.array(z.string()).describe('What the codec of a type of your own warns of.'),
      },
      { section: 'general', bytes: '0100028100000000', f_port: 2, warnings: [] },
    ),
    parts: z.array(framePart).describe('`key` is the `name` of a field of the form.'),
  })
  .meta({ id: 'ConfigurationPreview' })

export const previewConfiguration = endpoint({
  summary: 'The bytes that a configuration message would have',
  description:
    'As `POST /devices/{device_id}/configure`, with the same answers to what is wrong; nothing is stored or sent.',
  params: devicePath,
  body: configurationBody,
  examples: [
    {
      name: 'general',
      body: { config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 } },
    },
  ],
  changesNothing: true,
  answer: z.object({ data: preview }),
  failures: [404, 503],
  async handle({ params, body, caller }, services: DownlinkServices) {
    const { organizationId } = caller
    const reference = readReference(params.device_id)
    const device = await services.downlinkWriter.findDevice({ organizationId, reference })
    if (!device) throw notFound('device not found')
    const configuration = await encodeConfiguration(services, caller, device, body.config_field)
    const { section, payload, fPort, fieldValues } = configuration
    const maker = ownTypeOf(organizationId, device) ? 'codec' : 'settings'
    const warnings = Array.isArray(fieldValues.codec_warnings) ? fieldValues.codec_warnings : []
    return {
      data: {
        section,
        bytes: payload.toHex(),
        f_port: fPort,
        warnings: [...warnings],
        parts: toFrameParts(payload, partsOfDownlink(device.type_id, payload, maker)),
      },
    }
  },
})

const queued = { status: true, message: 'Downlink queued successfully.' }
const notQueued = {
  status: false,
  message: 'Downlink could not be queued. Please check the config history.',
}

export const configureDevice = endpoint({
  summary: 'Send a configuration message to a device',
  description:
    'The fields are those of the form at `GET /devices/{device_id}/configure/create`. What is no field of it, or has another shape, is refused, and so is a sensor section in which nothing is set. A message that the network cannot take just now stays queued and is handed over later, in order. It goes to the LoRaWAN port of the latest uplink of the device. To a device of your own type the codec of that type encodes `codec_data` (docs/decisions/0016-downlinks-of-codecs.md).',
  params: devicePath,
  body: configurationBody,
  examples: [
    {
      name: 'general',
      body: {
        config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 },
      },
      answer: { ...queued, downlink_id: 107 },
    },
    {
      name: 'sensor',
      body: {
        config_field: {
          islorawan: 1,
          config_type: 'sensor',
          301: { group: 2 },
          302: { main: 1.5 },
          303: { main: '' },
        },
      },
    },
    {
      name: 'advanced',
      body: { config_field: { islorawan: 1, config_type: 'advanced', port_number: 7 } },
    },
    {
      name: 'device of your own type',
      body: {
        config_field: {
          islorawan: 1,
          config_type: 'sensor',
          codec_data: { interval: 15 },
          codec_port: 5,
        },
      },
    },
  ],
  answer: z.object(
    withExamples(
      {
        status: z.boolean(),
        message: z.string(),
        downlink_id: z.int().describe('The history entries of this message have it too.'),
      },
      { ...queued, downlink_id: 107 },
    ),
  ),
  failures: [404, 503],
  change: changeOf('downlink', 'queued', 'device'),
  async handle({ params, body, caller, record }, services: DownlinkServices) {
    const { sealer, now } = services
    const reference = readReference(params.device_id)
    const { organizationId } = caller
    const device = await services.downlinkWriter.findDevice({ organizationId, reference })
    if (!device) throw notFound('device not found')
    const configuration = await encodeConfiguration(services, caller, device, body.config_field)
    const form = { session: caller, deviceId: device.id, now: now() }
    if (body._token && !isFormToken(sealer, body._token, form)) {
      throw invalid({ _token: ['The form has expired. Please load it again.'] })
    }
    const { id, isTaken } = await send(services, caller, device, { ...configuration, record })
    const state = isTaken
      ? 'handed_over'
      : await services.downlinkWriter.readState({ organizationId, id })
    return { ...(state === 'failed' ? notQueued : queued), downlink_id: id }
  },
})

async function send(
  services: DownlinkServices,
  { organizationId, userId }: Caller,
  device: BriefDevice,
  configuration: Configuration & { record: RecordChange },
): Promise<{ id: number; isTaken: boolean }> {
  const { creation, isTaken } = await sendDownlink(services, {
    ...configuration,
    organizationId,
    userId,
    deviceId: device.id,
    ...(device.is_console_only ? { failure: recordedOnly } : {}),
  })
  if (creation === 'device_gone') throw notFound('device not found')
  if (creation === 'too_many') {
    const message = `The device has ${mostWaiting} config messages waiting; cancel one first.`
    throw invalid({ config_field: [message] })
  }
  return { id: creation.id, isTaken }
}
