import { z } from 'zod'
import { pathId } from '../../http/fields.ts'
import { findDeviceType } from '../../sensors/index.ts'
import { endpoint } from '../core-services.ts'
import { find } from '../device-types/device-type-queries.ts'
import { deviceTypeNotFound } from '../device-types/device-type-record.ts'
import { findCodecForm } from '../downlinks/codec-configuration.ts'
import {
  configurationSection,
  toConfigurationSections,
} from '../downlinks/configuration-fields-record.ts'
import {
  catalogueMessage,
  catalogueType,
  toCatalogueMessages,
  toCatalogueType,
  toOwnCatalogueType,
} from './catalogue-record.ts'

const fullCatalogueType = z
  .object({
    ...catalogueType.shape,
    messages: z.array(catalogueMessage).describe('Empty for your own types.'),
    settings: z.array(configurationSection),
  })
  .meta({ id: 'FullCatalogueType' })

export const showCatalogueType = endpoint({
  summary: 'A device type with the layout of its messages, examples and settings',
  params: z.object({ id: pathId('16') }),
  answer: z.object({ data: fullCatalogueType }),
  failures: [404],
  async handle({ params: { id }, caller: { organizationId } }, services) {
    const builtIn = findDeviceType(id)
    if (builtIn) {
      const messages = toCatalogueMessages(builtIn)
      const settings = toConfigurationSections(id)
      return { data: { ...toCatalogueType(builtIn), messages, settings } }
    }
    const own = await find(services.db, organizationId, id)
    if (!own) throw deviceTypeNotFound()
    const codec = await findCodecForm(services, organizationId, id)
    const settings = toConfigurationSections(id, codec)
    return { data: { ...toOwnCatalogueType(own), messages: [], settings } }
  },
})
