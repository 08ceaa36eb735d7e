import { Select, SimpleGrid } from '@mantine/core'
import type {
  FormatName,
  Formats,
  OwnFormats,
  SomeOwnFormats,
} from '../../../../server/src/lora/formats.ts'
import { type Language, languageNames } from '../../../../server/src/lora/languages.ts'
import { t } from '../../languages/text.ts'

const fields: { [N in FormatName]: { label: string; choices: Record<Formats[N], string> } } = {
  temperature: { label: t('Temperature'), choices: { celsius: '°C', fahrenheit: '°F' } },
  units: {
    label: t('Other units'),
    choices: { metric: t('Metric: m, km/h, hPa, kg'), us: t('US: ft, mph, inHg, lb') },
  },
  date: {
    label: t('Date'),
    choices: { day_month: '1 Mar 2026', month_day: 'Mar 1, 2026', year_month: '2026-03-01' },
  },
  time: { label: t('Time'), choices: { '24h': '14:30', '12h': '2:30 PM' } },
  numbers: {
    label: t('Numbers'),
    choices: { comma_point: '1,234.5', point_comma: '1.234,5', space_comma: '1 234,5' },
  },
  week_start: {
    label: t('First day of the week'),
    choices: { monday: t('Monday'), sunday: t('Sunday'), saturday: t('Saturday') },
  },
}

const asOrganization = 'organization'
const asBrowser = t('As the browser')

const languageChoices = Object.entries(languageNames).map(([value, label]) => ({ value, label }))

/** The formats by their names, for those who may not change them. */
export function formatRows(formats: Formats): [string, string][] {
  const { language } = formats
  const rows = (Object.keys(fields) as FormatName[]).map((name): [string, string] => {
    const { label, choices }: { label: string; choices: Record<string, string> } = fields[name]
    return [label, choices[formats[name]] ?? '']
  })
  return [[t('Language'), language ? languageNames[language] : asBrowser], ...rows]
}

interface FormatFieldsProps {
  chosen: OwnFormats
  /** Of the organization, for a user who may choose it. */
  usual?: Formats
  onChange: (changes: SomeOwnFormats) => void
}

function LanguageField({ chosen, usual, onChange }: FormatFieldsProps) {
  const organization = usual?.language
  const first = organization
    ? t('As the organization ({language})', { language: languageNames[organization] })
    : asBrowser
  return (
    <Select
      label={t('Language')}
      allowDeselect={false}
      data={[{ value: asOrganization, label: first }, ...languageChoices]}
      value={chosen.language ?? asOrganization}
      onChange={(value) =>
        onChange({ language: value === asOrganization ? null : (value as Language) })
      }
    />
  )
}

/** How texts, numbers and times are read: of an organization, or of a user. */
export function FormatFields({ chosen, usual, onChange }: FormatFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" maw={640}>
      <LanguageField chosen={chosen} usual={usual} onChange={onChange} />
      {(Object.keys(fields) as FormatName[]).map((name) => {
        const choices: Record<string, string> = fields[name].choices
        const data = Object.entries(choices).map(([value, label]) => ({ value, label }))
        const first = usual && {
          value: asOrganization,
          label: t('As the organization ({name})', { name: choices[usual[name]] }),
        }
        return (
          <Select
            key={name}
            label={fields[name].label}
            allowDeselect={false}
            data={first ? [first, ...data] : data}
            value={chosen[name] ?? asOrganization}
            onChange={(value) =>
              onChange({ [name]: value === asOrganization ? null : value } as SomeOwnFormats)
            }
          />
        )
      })}
    </SimpleGrid>
  )
}
