import { Accordion, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/generated.ts'
import { FrameBytes } from '../../frames/frame-bytes.tsx'
import { FrameTool } from '../../frames/frame-tool.tsx'
import { t } from '../../languages/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './device-types.module.css'
import { LayoutTable } from './layout-table.tsx'
import { SettingsTable } from './settings-table.tsx'

type FullType = Schemas['FullCatalogueType']
type Message = FullType['messages'][number]

interface ReadTypeProps {
  type: FullType
  above: ReactNode
  children?: ReactNode
}

/** A type that is only read: its messages as tables with frames, and its settings. */
export function ReadType({ type, above, children }: ReadTypeProps) {
  const own = type.messages.filter(({ is_common }) => !is_common)
  const common = type.messages.filter(({ is_common }) => is_common)
  const sections = type.settings.filter(({ fields }) => fields.length > 0)
  return (
    <Page
      title={type.type_name}
      above={above}
      actions={
        <LinkButton to="/devices" search={{ type: type.id }} variant="default">
          {t('Devices of this type')}
        </LinkButton>
      }
    >
      <Facts
        rows={[
          [t('Part number'), type.part_number || undefined],
          [t('Also sold as'), type.other_part_numbers.join(', ') || undefined],
          [t('ID in the API'), type.id],
          [t('Measures'), type.measures.map(measureText).join(', ') || undefined],
        ]}
      />
      {children}
      <FrameTool deviceType={type.id} example={type.example?.frame.bytes ?? ''} />
      <Messages title={t('Messages of this type')} messages={own} isOpen />
      <Messages title={t('Messages of every sensor')} messages={common} />
      {sections.length > 0 && (
        <Stack gap="xs" component="section">
          <Title order={2} size="h4">
            {t('Settings')}
          </Title>
          {sections.map((section) => (
            <SettingsTable key={section.key} section={section} />
          ))}
        </Stack>
      )}
    </Page>
  )
}

function measureText({ label, unit }: FullType['measures'][number]): string {
  return unit === null ? label : `${label} (${unit})`
}

interface MessagesProps {
  title: string
  messages: readonly Message[]
  /** The first is open. */
  isOpen?: boolean
}

function Messages({ title, messages, isOpen = false }: MessagesProps) {
  if (messages.length === 0) return null
  const [first] = messages
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Accordion
        multiple
        variant="contained"
        order={3}
        defaultValue={isOpen && first ? [String(first.event_code)] : []}
      >
        {messages.map((message) => (
          <Accordion.Item key={message.event_code} value={String(message.event_code)}>
            <Accordion.Control>
              <Group gap="xs">
                <Text ff="monospace" size="sm">
                  {message.event_type}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('event code {eventcode}, {minimumlength} bytes or more', {
                    eventcode: codeText(message.event_code),
                    minimumlength: message.minimum_length,
                  })}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <MessageDetails message={message} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}

function codeText(code: number): string {
  return `0x${code.toString(16).toUpperCase().padStart(2, '0')}`
}

function MessageDetails({ message }: { message: Message }) {
  return (
    <div className={classes.examples}>
      <LayoutTable message={message} />
      {message.examples.map(({ about, frame }) => (
        <Stack key={frame.bytes} gap="xs">
          <Text size="sm" fw={500}>
            {t('Example: {about}', { about })}
          </Text>
          <FrameBytes
            bytes={frame.bytes}
            parts={frame.parts}
            caption={t('Example: {about}', { about })}
          />
        </Stack>
      ))}
    </div>
  )
}
