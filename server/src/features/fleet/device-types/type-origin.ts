import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'

/** How devices of a model speak LoRaWAN in a region, as its maker says. */
export const catalogueProfile = z
  .object(
    withExamples(
      {
        region: z.string(),
        mac_version: z.string(),
        regional_parameters: z.string().nullable(),
        activation: z.enum(['otaa', 'abp']),
        device_class: z.enum(['A', 'C']),
        supports_class_b: z.boolean(),
        max_eirp: z.number().nullable().describe('dBm.'),
        profile_id: z
          .string()
          .nullable()
          .describe('ProfileID of its QR codes (TR005): the vendor and its profile.'),
        details: z
          .record(z.string(), z.number())
          .describe("What a device profile of ChirpStack says beyond that, by ChirpStack's names."),
      },
      {
        region: 'EU868',
        mac_version: '1.0.3',
        regional_parameters: 'A',
        activation: 'otaa',
        device_class: 'A',
        supports_class_b: false,
        max_eirp: 16,
        profile_id: '006D0001',
        details: { 'class_c.timeout_secs': 0 },
      },
    ),
  )
  .meta({ id: 'CatalogueProfile' })

/** The model of a catalogue that a type was made of. Stored as it is shown. */
export const typeOrigin = z
  .object({
    ...withExamples(
      {
        model_id: z.string(),
        vendor: z.string(),
        model: z.string(),
        firmware_version: z.string().nullable(),
        region: z.string().nullable(),
        revision: z.string(),
        source: z.string(),
        data_sheet: z.string().nullable(),
        picture: z.string().nullable(),
        taken_at: z.string(),
        codec_hash: z.string().describe('Tells whether the codec was changed here since.'),
      },
      {
        model_id: '12.acme.cold-probe',
        vendor: 'Acme',
        model: 'Cold probe',
        firmware_version: '1.2',
        region: 'EU868',
        revision: '9f86d081884c7d65',
        source: 'Device profiles',
        data_sheet: 'https://docs.example.com/cold-probe.pdf',
        picture: null,
        taken_at: '2026-02-20T14:05:00.000Z',
        codec_hash: 'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592',
      },
    ),
    profile: catalogueProfile.nullable(),
  })
  .meta({ id: 'CatalogueOrigin' })

export type TypeOrigin = z.infer<typeof typeOrigin>
