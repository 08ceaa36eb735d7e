import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice } from '../../../http/fields.ts'
import {
  asOrganization,
  type FormatName,
  formatChoices,
  formatsOfOrganization,
} from '../../../lora/formats.ts'
import { languages } from '../../../lora/languages.ts'

const fields = {
  temperature: queryChoice('temperature', formatChoices.temperature),
  units: queryChoice('units', formatChoices.units).describe(
    'Of lengths, speeds, pressures, masses and volumes.',
  ),
  date: queryChoice('date', formatChoices.date).describe(
    '`1 Mar 2026`, `Mar 1, 2026` or `2026-03-01`.',
  ),
  time: queryChoice('time', formatChoices.time),
  numbers: queryChoice('numbers', formatChoices.numbers).describe(
    '`1,234.5`, `1.234,5` or `1 234,5`.',
  ),
  week_start: queryChoice('week start', formatChoices.week_start),
}

const language = queryChoice('language', languages).nullable()

const usual = formatsOfOrganization({ language: 'de', time: '24h' })
const { by_language: _, ...usualChoices } = usual

const ofOrganization = {
  ...fields,
  language: language.describe(
    'Of texts in the console, mails, messages and reports. Null is the language of each browser, and English elsewhere.',
  ),
}

const names = Object.keys(formatChoices) as [FormatName, ...FormatName[]]

export const formatsRecord = z
  .object(
    withExamples(
      {
        ...ofOrganization,
        by_language: z
          .array(z.enum(names))
          .describe('The formats that were never set. They follow the language of each reader.'),
      },
      usual,
    ),
  )
  .meta({ id: 'Formats' })

/** What is left out stays. */
export const formatChanges = z.object(withExamples(ofOrganization, usualChoices)).partial()

const ownFields = {
  temperature: fields.temperature.nullable(),
  units: fields.units.nullable(),
  date: fields.date.nullable(),
  time: fields.time.nullable(),
  numbers: fields.numbers.nullable(),
  week_start: fields.week_start.nullable(),
  language: language.describe('Null is that of the organization, or of the browser.'),
}

const own = z.object(
  withExamples(ownFields, {
    ...asOrganization,
    temperature: 'fahrenheit',
    units: 'us',
    time: '12h',
    language: 'fr',
  }),
)

/** Of a user: null is as the organization. */
export const ownFormatsRecord = own.meta({ id: 'OwnFormats' })

export const ownFormatChanges = own.partial()
