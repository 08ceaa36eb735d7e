import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { framePart, toFrameParts } from '../frames/explained-frame.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { ownTypeOf } from './codec-configuration.ts'
import { configurationBody } from './config-field.ts'
import { partsOfDownlink } from './downlink-parts.ts'
import type { DownlinkServices } from './downlink-services.ts'
import { encodeConfiguration } from './encode-configuration.ts'

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
