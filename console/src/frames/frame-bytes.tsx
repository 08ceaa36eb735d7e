import { Button, CopyButton, Group, Table, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../languages/text.ts'
import classes from './frame-bytes.module.css'
import { FramePicture } from './frame-picture.tsx'
import { type FramePart, measureText, placeText, rawText } from './frame-values.ts'

interface FrameBytesProps {
  /** The whole frame, hexadecimal. */
  bytes: string
  /** What the API says of each of its bytes. */
  parts: readonly FramePart[]
  /** Of the table, for screen readers. */
  caption?: string
}

/** A frame taken apart: its bytes, and a table of what they say. Each points at the other. */
export function FrameBytes({ bytes, parts, caption = t('Frame, byte by byte') }: FrameBytesProps) {
  const [active, setActive] = useState<number>()
  if (parts.length === 0) return <Text c="dimmed">{t('The frame has no bytes.')}</Text>
  return (
    <div className={classes.frame}>
      <FramePicture parts={parts} active={active} onActive={setActive} />
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {t(
            '{count, plural, one {# byte} other {# bytes}}. Point at a part, or use the arrow keys.',
            { count: bytes.length / 2 },
          )}
        </Text>
        <CopyBytes bytes={bytes} />
      </Group>
      <PartTable parts={parts} active={active} onActive={setActive} caption={caption} />
    </div>
  )
}

function CopyBytes({ bytes }: { bytes: string }) {
  return (
    <CopyButton value={bytes}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          onClick={copy}
          leftSection={
            copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
          }
        >
          {copied ? t('Copied') : t('Copy bytes')}
        </Button>
      )}
    </CopyButton>
  )
}

interface PartTableProps {
  parts: readonly FramePart[]
  active: number | undefined
  onActive: (part: number | undefined) => void
  caption: string
}

function PartTable({ parts, active, onActive, caption }: PartTableProps) {
  return (
    <Table verticalSpacing={4} className={classes.table}>
      <caption className="visually-hidden">{caption}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Where')}</Table.Th>
          <Table.Th scope="col" className={classes.extra}>
            {t('Bytes')}
          </Table.Th>
          <Table.Th scope="col">{t('Field')}</Table.Th>
          <Table.Th scope="col">{t('Value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {parts.map((part, index) => (
          <Table.Tr
            key={`${part.start}.${part.bits?.lowest ?? ''}`}
            data-active={active === index || undefined}
            onMouseEnter={() => onActive(index)}
          >
            <Table.Td className={classes.place}>{placeText(part)}</Table.Td>
            <Table.Td className={`${classes.extra} ${classes.mono}`}>{rawText(part)}</Table.Td>
            <Table.Td>{part.label}</Table.Td>
            <Table.Td>
              <span>{measureText(part)}</span>
              {part.meaning !== null && part.meaning !== part.value && (
                <Text size="xs" c="dimmed">
                  {part.meaning}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
