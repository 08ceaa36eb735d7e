import { Select, Stack, Table, Text, Title } from '@mantine/core'
import {
  type DeviceColumn,
  deviceColumns,
  isTagColumn,
  leftOutColumns,
  type Mapping,
  type TagColumn,
  toTagColumn,
} from '../../../../../server/src/lora/device-file/columns.ts'
import { t } from '../../../languages/text.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { CsvFile } from './csv-file.ts'

interface ColumnMappingProps {
  file: CsvFile
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

const choices = deviceColumns.map(({ name, label }) => ({ value: name, label }))
const longestCell = 60

/** The first rows of the file, with what each column is above it. */
export function ColumnMapping({ file, mapping, onChange }: ColumnMappingProps) {
  const leftOut = leftOutColumns(file.headers, mapping)
  const fieldOf = (column: number) =>
    (Object.keys(mapping) as (DeviceColumn | TagColumn)[]).find(
      (name) => mapping[name] === column,
    ) ?? null
  const choose = (column: number, field: string | null) => {
    const others = Object.entries(mapping).filter(
      ([name, place]) => place !== column && name !== field,
    )
    const chosen = field === null ? [] : [[field as DeviceColumn | TagColumn, column] as const]
    onChange(Object.fromEntries([...others, ...chosen]) as Mapping)
  }
  return (
    <Stack gap="xs" component="section" aria-labelledby="columns">
      <Title order={2} size="h4" id="columns">
        {t('What are the columns?')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('{total, plural, one {# row} other {# rows}}. The first ones:', { total: file.total })}
      </Text>
      <Table.ScrollContainer minWidth={0} tabIndex={0} role="group" aria-label={t('First rows')}>
        <Table verticalSpacing={4} withColumnBorders>
          <caption className="visually-hidden">{t('The first rows of the file')}</caption>
          <Table.Thead>
            <Table.Tr>
              {file.headers.map((header, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
                <Table.Th key={column} scope="col">
                  <Stack gap={4} miw="9rem">
                    <Text size="xs" fw={600} lineClamp={2}>
                      {header}
                    </Text>
                    <Select
                      size="xs"
                      aria-label={t('What “{header}” is', { header })}
                      placeholder={t('left out')}
                      clearable
                      data={choicesOf(header, fieldOf(column))}
                      value={fieldOf(column)}
                      onChange={(field) => choose(column, field)}
                    />
                  </Stack>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {file.preview.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position
              <Table.Tr key={row}>
                {file.headers.map((_, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
                  <Table.Td key={column}>{shown(cells[column], fieldOf(column))}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {leftOut.length > 0 && (
        <Notice
          kind="warn"
          title={t('{count, plural, one {# column} other {# columns}} left out', {
            count: leftOut.length,
          })}
        >
          {t('{columns}. Choose above what they are, if they say something about the devices.', {
            columns: leftOut.join(', '),
          })}
        </Notice>
      )}
      {mapping.deviceName === undefined && (
        <Text size="sm">{t('No column is the name: each device is named by its EUI.')}</Text>
      )}
    </Stack>
  )
}

/** A column whose header is nothing known can be a tag of that name. */
function choicesOf(header: string, field: DeviceColumn | TagColumn | null) {
  const tag = field !== null && isTagColumn(field) ? field : toTagColumn(header)
  const key = tag.slice('tag:'.length)
  return key === '' ? choices : [...choices, { value: tag, label: t('Tag {key}', { key }) }]
}

/** Keys are not shown. */
function shown(cell: string | undefined, field: DeviceColumn | TagColumn | null): string {
  if (field === 'deviceKey' && cell) return '••••••••'
  const text = cell ?? ''
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text
}
