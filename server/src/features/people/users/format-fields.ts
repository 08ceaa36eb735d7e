import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice } from '../../../http/fields.ts'
import { formatChoices, usualFormats } from '../../../lora/formats.ts'

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

const formats = z.object(withExamples(fields, usualFormats))

export const formatsRecord = formats.meta({ id: 'Formats' })

/** What is left out stays. */
export const formatChanges = formats.partial()

const ownFields = {
  temperature: fields.temperature.nullable(),
  units: fields.units.nullable(),
  date: fields.date.nullable(),
  time: fields.time.nullable(),
  numbers: fields.numbers.nullable(),
  week_start: fields.week_start.nullable(),
}

const own = z.object(
  withExamples(ownFields, {
    temperature: 'fahrenheit',
    units: 'us',
    date: null,
    time: '12h',
    numbers: null,
    week_start: null,
  }),
)

/** Of a user: null is as the organization. */
export const ownFormatsRecord = own.meta({ id: 'OwnFormats' })

export const ownFormatChanges = own.partial()
